-- Finds the parent of each best-of-N copy: Cursor gives one prompt to several models at once, and each answers in a conversation of its own.
--
-- The parent is the conversation that lists the copy, if one of the two is marked as such; among several the smaller id. A copy that says itself what it is may name its parent, too. Everything is
-- computed from _subagent_claims (rank 3 and more) for all conversations, and written only where it differs, as for subagents.
-- A load skips it while (SELECT conversation_id FROM _subagent_claims WHERE rank >= 3 UNION ALL SELECT conversation_id FROM conversations WHERE best_of_parent_id IS NOT NULL)
-- is empty.
CREATE OR REPLACE TEMP TABLE _best_of AS
WITH found AS (
    SELECT source_id, conversation_id, min(parent_conversation_id) FILTER (WHERE parent_conversation_id <> conversation_id) AS parent_id
    FROM _subagent_claims
    WHERE rank >= 3
    GROUP BY source_id, conversation_id
    HAVING bool_or(rank < 5)
)
SELECT c.source_id, c.conversation_id, f.parent_id,
       c.best_of_parent_id IS DISTINCT FROM f.parent_id AS differs
FROM conversations c
LEFT JOIN found f ON f.source_id = c.source_id AND f.conversation_id = c.conversation_id
WHERE f.parent_id IS NOT NULL OR c.best_of_parent_id IS NOT NULL;

-- A copy has its parent's session: it counts as changed if the parent is, and with it what is below it.
INSERT INTO _changed
WITH RECURSIVE below AS (
    SELECT source_id, conversation_id, parent_id FROM _best_of
    UNION ALL
    SELECT source_id, conversation_id, parent_conversation_id FROM conversations WHERE is_subagent
), down(source_id, conversation_id) AS (
    SELECT source_id, conversation_id FROM _changed
    UNION
    SELECT source_id, conversation_id FROM _best_of WHERE differs
    UNION
    SELECT b.source_id, b.conversation_id
    FROM down d
    JOIN below b ON b.source_id = d.source_id AND b.parent_id = d.conversation_id
)
SELECT source_id, conversation_id FROM down
EXCEPT
SELECT source_id, conversation_id FROM _changed;

INSERT INTO _changed_groups
SELECT DISTINCT c.source_id, c.project_uri
FROM _best_of b
JOIN conversations c ON c.source_id = b.source_id AND c.conversation_id = b.conversation_id
WHERE b.differs;

UPDATE conversations AS c
SET best_of_parent_id = b.parent_id
FROM _best_of b
WHERE b.differs AND b.source_id = c.source_id AND b.conversation_id = c.conversation_id;

DROP TABLE _best_of;
