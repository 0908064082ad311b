-- Finds the conversations that several sources have: a backup, a new laptop, a moved folder. Each source has a row of such a conversation. One of
-- these is the primary, and figures count it alone.
--
-- An id that holds a UUID, or that the transform made from a hash, names the same conversation in every source. Any other id does so only below a
-- parent that several sources have. The primary is a live row before a deleted or orphaned one, then one of which there is more than a head in a list, then the one with the latest activity, then the one
-- with the most live messages, then that of the source first seen earliest, then that of the smaller source_id. Everything is computed for all
-- conversations, and written only where it differs: so a run over a few changed conversations gives the result of a run over all.
-- A cloud agent that a composer shows is in the store twice, under two ids: its turns are the composer's, too. So it is no primary wherever it is, while such a
-- composer has messages. The composer is the conversation: its document names the agent, as one of its places.
-- A load skips it while (SELECT source_id FROM conversations WHERE source_id <> (SELECT min(source_id) FROM conversations)
--                        UNION ALL SELECT source_id FROM conversations WHERE store_kind = 'cloud') is empty.

-- The rows whose id several sources have, with what makes them the same conversation: the own id, or the parent's and the own one. A cycle of parents
-- is never reached, as the way down begins at an id that needs no parent.
CREATE OR REPLACE TEMP TABLE _copies AS
WITH RECURSIVE shared AS (
    SELECT c.source_id, c.conversation_id, CASE WHEN c.is_subagent THEN c.parent_conversation_id END AS parent_id,
           regexp_matches(c.conversation_id, '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|^#[0-9a-f]{16}$') AS is_unique,
           c.deleted_at IS NOT NULL OR c.status IS NOT DISTINCT FROM 'orphaned' AS is_lost,
           coalesce(c.completeness = 'partial', false) AND c.message_count = 0 AND c.missing_message_count = 0 AS is_listed, c.last_activity_at, c.message_count
    FROM conversations c
    SEMI JOIN (SELECT conversation_id FROM conversations GROUP BY conversation_id HAVING count(*) > 1) n ON n.conversation_id = c.conversation_id
), named(source_id, conversation_id, identity) AS (
    SELECT source_id, conversation_id, conversation_id FROM shared WHERE is_unique
    UNION ALL
    SELECT s.source_id, s.conversation_id, n.identity || chr(31) || s.conversation_id
    FROM named n
    JOIN shared s ON s.source_id = n.source_id AND s.parent_id = n.conversation_id
    WHERE NOT s.is_unique
)
SELECT n.source_id, n.conversation_id,
       first_value(n.source_id) OVER (PARTITION BY n.identity
           ORDER BY s.is_lost, s.is_listed, s.last_activity_at DESC NULLS LAST, s.message_count DESC, f.first_seen_at NULLS LAST, n.source_id) AS primary_source_id,
       NULL::VARCHAR AS primary_conversation_id,
       primary_source_id = n.source_id AS is_primary,
       count(*) OVER (PARTITION BY n.identity) AS copies
FROM named n
JOIN shared s ON s.source_id = n.source_id AND s.conversation_id = n.conversation_id
LEFT JOIN sources f ON f.source_id = n.source_id
QUALIFY count(*) OVER (PARTITION BY n.identity) > 1;

-- Cloud agents and the composers that show them.
CREATE OR REPLACE TEMP TABLE _shown AS
SELECT a.source_id, a.conversation_id, coalesce(k.primary_source_id, c.source_id) AS primary_source_id, c.conversation_id AS primary_conversation_id,
       false AS is_primary, (SELECT count(*) FROM conversations o WHERE o.conversation_id = a.conversation_id) AS copies
FROM conversations a
JOIN conversation_sources p ON p.path = a.conversation_id || ':cloudAgent:metadata' AND p.conversation_id <> a.conversation_id
JOIN conversations c ON c.source_id = p.source_id AND c.conversation_id = p.conversation_id
LEFT JOIN _copies k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
WHERE a.store_kind = 'cloud' AND p.store_kind = 'cloud' AND p.deleted_at IS NULL
  AND (p.source_id = a.source_id OR regexp_matches(a.conversation_id, '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'))
  AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned' AND c.message_count > 0
QUALIFY row_number() OVER (PARTITION BY a.source_id, a.conversation_id ORDER BY c.last_activity_at DESC NULLS LAST, c.conversation_id, c.source_id) = 1;

DELETE FROM _copies AS k USING _shown s WHERE s.source_id = k.source_id AND s.conversation_id = k.conversation_id;
INSERT INTO _copies BY NAME FROM _shown;
DROP TABLE _shown;

-- The rows that are counted now and were not, or the reverse. They count as changed, and so do their groups.
CREATE OR REPLACE TEMP TABLE _copy_changes AS
WITH was AS (
    SELECT source_id, conversation_id FROM conversation_copies WHERE NOT is_primary
), becomes AS (
    SELECT source_id, conversation_id FROM _copies WHERE NOT is_primary
)
(FROM was EXCEPT FROM becomes) UNION ALL (FROM becomes EXCEPT FROM was);

INSERT INTO _changed
SELECT source_id, conversation_id FROM _copy_changes
EXCEPT
SELECT source_id, conversation_id FROM _changed;

INSERT INTO _changed_groups
SELECT DISTINCT c.source_id, c.project_uri
FROM conversations c
SEMI JOIN _copy_changes x ON x.source_id = c.source_id AND x.conversation_id = c.conversation_id;

DELETE FROM conversation_copies AS o
WHERE NOT EXISTS (
    FROM _copies n
    WHERE n.source_id = o.source_id AND n.conversation_id = o.conversation_id AND n.primary_source_id = o.primary_source_id
      AND n.primary_conversation_id IS NOT DISTINCT FROM o.primary_conversation_id AND n.is_primary = o.is_primary AND n.copies = o.copies);

INSERT INTO conversation_copies BY NAME
SELECT n.*
FROM _copies n
ANTI JOIN conversation_copies o ON o.source_id = n.source_id AND o.conversation_id = n.conversation_id
ORDER BY n.conversation_id, n.source_id;

DROP TABLE _copy_changes;
DROP TABLE _copies;
