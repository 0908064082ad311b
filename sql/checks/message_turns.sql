-- The turn of a live message is the number of user messages up to and including it; those that the program wrote do not count.
-- A load runs it for changed conversations only.
WITH turns AS (
    SELECT source_id, conversation_id, turn,
           count(*) AS messages, count(position) AS positions, count(*) FILTER (WHERE role = 'user' AND NOT is_simulated) AS users,
           min(position) FILTER (WHERE role = 'user' AND NOT is_simulated) AS user_position, min(position) FILTER (WHERE role <> 'user' OR is_simulated) AS other_position,
           min(position) AS first_position, max(position) AS last_position
    FROM messages
    WHERE deleted_at IS NULL
    GROUP BY source_id, conversation_id, turn
), steps AS (
    SELECT *, lag(turn) OVER conversation AS turn_before, lag(last_position) OVER conversation AS position_before
    FROM turns
    WINDOW conversation AS (PARTITION BY source_id, conversation_id ORDER BY turn)
), suspects AS (
    -- Sorting and counting every message is expensive. The turns of a conversation are right if they go up by one from 0 or 1, follow each other by
    -- position, and each turn except turn 0 begins with its one user message. Only the other conversations are counted.
    SELECT DISTINCT source_id, conversation_id
    FROM steps
    WHERE turn IS NULL OR positions < messages
       OR turn <> coalesce(CAST(turn_before AS HUGEINT) + 1, TRY_CAST(turn > 0 AS BIGINT)) OR first_position <= position_before
       OR users <> TRY_CAST(turn > 0 AS BIGINT) OR user_position >= other_position
)
SELECT 'messages' AS table_name, source_id || '/' || conversation_id || '/' || message_id AS row_key,
       'turn is ' || coalesce(CAST(turn AS VARCHAR), 'NULL') || ', not ' || CAST(wanted AS VARCHAR) AS problem
FROM (
    SELECT source_id, conversation_id, message_id, turn,
           count(CASE WHEN role = 'user' AND NOT is_simulated THEN 1 END)
               OVER (PARTITION BY source_id, conversation_id ORDER BY position ROWS UNBOUNDED PRECEDING) AS wanted
    FROM messages
    SEMI JOIN suspects USING (source_id, conversation_id)
    WHERE deleted_at IS NULL
)
WHERE turn IS DISTINCT FROM wanted;
