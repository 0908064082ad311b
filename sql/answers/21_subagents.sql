-- Which subagents ran, for whom, how deep, and what did they do?
-- One row per live subagent that is not empty (a message, or a missing one), those of one parent together, the parents with most subagents first.
-- depth: 1 is a subagent of a conversation that is none itself, 2 one of those, and so on. root is that conversation. Both are NULL where the chain of parents
-- ends unknown or in a circle: the walk goes down from conversations that are no subagents, each has one parent, so it meets nothing twice.
-- type is the store's own (subagent_type), else what the parent's call that started this subagent asked for (subagentType, or subagent_type as the model wrote it;
-- where it says unspecified, its name): the call that names it, else the one that it names (subagent_tool_call_id, by the first part of an id that has two). Lines and files are the store's totals. duration_ms is from its first to its last real message time.
-- Coverage: of the tool_calls, outcome_known are known to have succeeded or failed; of the source's subagents (subagents_in_source), subagents_with_parent name their parent.
CREATE OR REPLACE VIEW answers.subagents AS
WITH RECURSIVE tree(source_id, conversation_id, root_id, depth) AS (
    SELECT source_id, conversation_id, conversation_id, 0
    FROM main.conversations
    WHERE NOT is_subagent
    UNION ALL
    SELECT c.source_id, c.conversation_id, t.root_id, t.depth + 1
    FROM tree t
    JOIN main.conversations c ON c.source_id = t.source_id AND c.parent_conversation_id = t.conversation_id
    WHERE c.is_subagent AND t.depth < 100
), asked AS (
    SELECT source_id, conversation_id AS parent_id, subagent_id, split_part(split_part(tool_call_id, chr(10), 1), '\n', 1) AS tool_call_id, position,
           coalesce(CASE WHEN params ->> '$.subagentType' = 'unspecified' THEN params ->> '$.name' ELSE params ->> '$.subagentType' END,
                    written ->> '$.subagent_type', written ->> '$.arguments.subagent_type') AS type
    FROM (SELECT *, TRY_CAST(raw_args AS JSON) AS written
          FROM main.live_tool_calls
          WHERE tool_kind = 'task' OR json_extract_string(params, '$.subagentType') IS NOT NULL)
    WHERE type IS NOT NULL
), naming AS (
    SELECT source_id, parent_id, subagent_id, arg_max(type, position) AS type
    FROM asked
    WHERE subagent_id IS NOT NULL
    GROUP BY source_id, parent_id, subagent_id
), named AS (
    SELECT source_id, parent_id, tool_call_id, arg_max(type, position) AS type
    FROM asked
    WHERE tool_call_id IS NOT NULL
    GROUP BY source_id, parent_id, tool_call_id
), outcomes AS (
    SELECT t.source_id, t.conversation_id, count(t.is_error) AS known, count(*) FILTER (WHERE t.is_error) AS failed
    FROM main.live_tool_calls t
    SEMI JOIN (FROM main.conversations WHERE is_subagent) c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    GROUP BY t.source_id, t.conversation_id
), placed AS ( -- the source of the parent's primary may be another one
    SELECT s.*, coalesce(k.primary_source_id, s.source_id) AS parent_source_id
    FROM main.live_conversations s
    LEFT JOIN main.conversation_copies k ON k.source_id = s.source_id AND k.conversation_id = s.parent_conversation_id
    WHERE s.is_subagent AND (s.message_count > 0 OR s.missing_message_count > 0)
), children AS (
    SELECT parent_source_id AS source_id, parent_conversation_id AS conversation_id, count(*) AS children
    FROM placed
    WHERE parent_conversation_id IS NOT NULL
    GROUP BY ALL
)
SELECT s.source_id, s.parent_conversation_id, p.display_title AS parent_title,
       p.deleted_at IS NOT NULL OR p.status IS NOT DISTINCT FROM 'orphaned' AS parent_is_lost,
       siblings.children AS subagents_of_parent,
       s.conversation_id, s.display_title AS title, s.project,
       t.depth, t.root_id AS root_conversation_id, coalesce(own.children, 0) AS subagents,
       coalesce(s.subagent_type, k.type, n.type) AS type, s.mode, s.model, s.status,
       s.message_count AS messages, s.tool_call_count AS tool_calls, coalesce(o.known, 0) AS outcome_known, coalesce(o.failed, 0) AS failed,
       s.lines_added, s.lines_removed, s.files_changed,
       coalesce(s.created_at, s.first_message_at) AS started_at,
       epoch_ms(s.last_message_at) - epoch_ms(s.first_message_at) AS duration_ms,
       count(*) OVER (PARTITION BY s.source_id) AS subagents_in_source,
       count(s.parent_conversation_id) OVER (PARTITION BY s.source_id) AS subagents_with_parent
FROM placed s
LEFT JOIN main.conversations p ON p.source_id = s.parent_source_id AND p.conversation_id = s.parent_conversation_id
LEFT JOIN tree t ON t.source_id = s.source_id AND t.conversation_id = s.conversation_id
LEFT JOIN naming k ON k.source_id = s.parent_source_id AND k.parent_id = s.parent_conversation_id AND k.subagent_id = s.conversation_id
LEFT JOIN named n ON n.source_id = s.parent_source_id AND n.parent_id = s.parent_conversation_id AND n.tool_call_id = split_part(split_part(s.subagent_tool_call_id, chr(10), 1), '\n', 1)
LEFT JOIN outcomes o ON o.source_id = s.source_id AND o.conversation_id = s.conversation_id
LEFT JOIN children siblings ON siblings.source_id = s.parent_source_id AND siblings.conversation_id = s.parent_conversation_id
LEFT JOIN children own ON own.source_id = s.source_id AND own.conversation_id = s.conversation_id
ORDER BY subagents_of_parent DESC NULLS LAST, s.source_id, s.parent_conversation_id, started_at NULLS LAST, s.conversation_id;
COMMENT ON VIEW answers.subagents IS 'Subagents with their parent, depth, work and status; of the tool_calls, outcome_known are known to have succeeded or failed.';
