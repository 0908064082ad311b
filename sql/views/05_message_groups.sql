-- Who spoke, for how long, before the other did? Runs of user or of assistant messages, by position in a live conversation.
-- A message of unknown role ends a run and belongs to none. started_at and ended_at are the best known times (see created_at_source).
-- branch says whether the run is of the active branch or abandoned (see message_branches): no run holds messages of both. Cursor sends the active
-- ones; which abandoned message followed which it does not record, they stand in the order of their times.
CREATE OR REPLACE VIEW message_groups AS
WITH marked AS (
    SELECT m.source_id, m.conversation_id, m.position, m.role, m.turn, m.kind, m.created_at, m.text, b.branch,
           m.role IS DISTINCT FROM lag(m.role) OVER branches OR b.branch IS DISTINCT FROM lag(b.branch) OVER branches AS opens
    FROM live_messages m
    JOIN message_branches b ON b.source_id = m.source_id AND b.conversation_id = m.conversation_id AND b.message_id = m.message_id
    WINDOW branches AS (PARTITION BY m.source_id, m.conversation_id ORDER BY m.position)
), numbered AS (
    SELECT *, count(CASE WHEN opens THEN 1 END) OVER (PARTITION BY source_id, conversation_id ORDER BY position ROWS UNBOUNDED PRECEDING) AS run_no
    FROM marked
), runs AS (
    SELECT source_id, conversation_id, run_no, any_value(role) AS role, any_value(branch) AS branch,
           min(turn) AS turn,
           min(position) AS first_position,
           max(position) AS last_position,
           min(created_at) AS started_at,
           max(created_at) AS ended_at,
           count(*) AS message_count,
           count(*) FILTER (WHERE kind = 'tool_call') AS tool_call_message_count,
           string_agg(text, chr(10) || chr(10) ORDER BY position) FILTER (WHERE kind = 'text') AS text
    FROM numbered
    GROUP BY source_id, conversation_id, run_no
)
SELECT source_id, conversation_id,
       row_number() OVER (PARTITION BY source_id, conversation_id ORDER BY first_position) - 1 AS group_index,
       role, turn, first_position, last_position, started_at, ended_at, message_count, tool_call_message_count, text, branch
FROM runs
WHERE role IN ('user', 'assistant');
COMMENT ON VIEW message_groups IS 'Runs of user or of assistant messages in live conversations, numbered from 0 in each, none of both branches.';
