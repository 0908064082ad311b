-- Each conversation with an id of its own that several sources have is in conversation_copies, once for each source, with one primary; a live one is
-- primary where there is any. A row without such an id has a parent there. A cloud agent that a composer shows is no primary, and the composer is live.
WITH places AS (
    SELECT conversation_id, count(*) AS places
    FROM conversations
    WHERE regexp_matches(conversation_id, '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|^#[0-9a-f]{16}$')
    GROUP BY conversation_id
), listed AS (
    SELECT k.source_id, k.conversation_id, k.primary_source_id, k.is_primary, k.copies, c.parent_conversation_id,
           c.conversation_id IS NOT NULL AS exists_in,
           c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned' AS is_live,
           count(*) OVER same AS rows,
           count(CASE WHEN k.is_primary THEN 1 END) OVER same AS primaries,
           count(CASE WHEN k.is_primary AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned' THEN 1 END) OVER same AS live_primaries
    FROM conversation_copies k
    LEFT JOIN conversations c ON c.source_id = k.source_id AND c.conversation_id = k.conversation_id
    WHERE k.primary_conversation_id IS NULL
    WINDOW same AS (PARTITION BY k.conversation_id, k.primary_source_id)
)
SELECT 'conversation_copies' AS table_name, l.source_id || '/' || l.conversation_id AS row_key,
       CASE WHEN NOT l.exists_in THEN 'no such conversation'
            WHEN l.rows < 2 OR l.rows <> l.copies THEN 'copies is not the number of its rows'
            WHEN l.primaries <> 1 OR l.is_primary <> (l.source_id = l.primary_source_id) THEN 'not one primary'
            WHEN l.is_live AND l.live_primaries = 0 THEN 'live, and the primary is not'
            ELSE 'an id that may repeat, and no parent that is a copy' END AS problem
FROM listed l
LEFT JOIN places p ON p.conversation_id = l.conversation_id
LEFT JOIN conversation_copies u ON u.source_id = l.source_id AND u.conversation_id = l.parent_conversation_id
WHERE NOT l.exists_in OR l.rows < 2 OR l.rows <> l.copies OR l.primaries <> 1 OR l.is_primary <> (l.source_id = l.primary_source_id)
   OR (l.is_live AND l.live_primaries = 0)
   OR (p.conversation_id IS NULL AND u.source_id IS NULL)
UNION ALL
SELECT 'conversation_copies', k.source_id || '/' || k.conversation_id, 'no cloud agent that a live composer shows'
FROM conversation_copies k
LEFT JOIN conversations a ON a.source_id = k.source_id AND a.conversation_id = k.conversation_id AND a.store_kind = 'cloud'
LEFT JOIN conversations c ON c.source_id = k.primary_source_id AND c.conversation_id = k.primary_conversation_id
WHERE k.primary_conversation_id IS NOT NULL
  AND (k.is_primary OR a.source_id IS NULL OR c.source_id IS NULL OR c.deleted_at IS NOT NULL OR c.status IS NOT DISTINCT FROM 'orphaned')
UNION ALL
SELECT 'conversations', c.source_id || '/' || c.conversation_id, 'several sources have it, and conversation_copies does not'
FROM conversations c
JOIN places p ON p.conversation_id = c.conversation_id AND p.places > 1
ANTI JOIN conversation_copies k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id;
