-- Positions count the live messages of a conversation from 0 without holes, the listed before the unlisted.
-- A load runs it for changed conversations only.
-- Conversations are told apart by a hash: to count what is distinct among texts took most of the engine's memory in a load of 370,000 messages.
SELECT 'messages' AS table_name, any_value(source_id) || '/' || any_value(conversation_id) AS row_key,
       CASE WHEN count(position) < count(*) THEN 'a live message without a position'
            WHEN count(DISTINCT position) < count(*) THEN 'a position twice'
            WHEN min(position) <> 0 OR max(position) <> count(*) - 1 THEN 'positions do not run from 0 to the count less 1'
            ELSE 'an unlisted message before a listed one' END AS problem
FROM messages
WHERE deleted_at IS NULL
GROUP BY hash(source_id, conversation_id)
HAVING count(position) < count(*)
    OR count(DISTINCT position) < count(*)
    OR min(position) <> 0
    OR max(position) <> count(*) - 1
    OR max(position) FILTER (WHERE is_listed) > min(position) FILTER (WHERE NOT is_listed);
