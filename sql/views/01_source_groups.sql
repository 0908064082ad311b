-- Which sources hold the same chats? One row per source that shares a conversation with another one (a laptop and its backup), itself or through a third.
-- Sources with the same first_source_id are one group; that is the source of the group that was first seen earliest, then the smaller source_id.
CREATE OR REPLACE VIEW source_groups AS
WITH RECURSIVE pairs AS (
    SELECT DISTINCT source_id, primary_source_id AS other_id FROM conversation_copies WHERE primary_conversation_id IS NULL
    UNION
    SELECT DISTINCT primary_source_id, source_id FROM conversation_copies WHERE primary_conversation_id IS NULL
), reach(source_id, other_id) AS (
    SELECT source_id, other_id FROM pairs
    UNION
    SELECT r.source_id, p.other_id
    FROM reach r
    JOIN pairs p ON p.source_id = r.other_id
)
SELECT r.source_id, arg_min(r.other_id, (s.first_seen_at IS NULL, s.first_seen_at, r.other_id)) AS first_source_id
FROM reach r
LEFT JOIN sources s ON s.source_id = r.other_id
GROUP BY r.source_id;
COMMENT ON VIEW source_groups IS 'Sources that share conversations, with the first source of their group; a source that shares none has no row.';
