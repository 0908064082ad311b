-- Made by translate.py from sql/views/06_coverage.sql, sha256 f833ad08e1208441393e26f7612e8b3d834de1df3810858efb2a08fdc4c13d06
-- For each source and measure: of total live rows, known ones record it. of_what names the rows.
CREATE OR REPLACE VIEW coverage AS
WITH conversation_figures AS (
  SELECT
    live_conversations.machine_id AS machine_id,
    live_conversations.source_id AS source_id,
    CAST(COUNT(*) AS Nullable(Int64)) AS total,
    CAST(COUNT(live_conversations.project_uri) AS Nullable(Int64)) AS project,
    CAST(COUNT(live_conversations.title) AS Nullable(Int64)) AS title,
    CAST(COUNT(live_conversations.created_at) AS Nullable(Int64)) AS created_at,
    CAST(COUNT(live_conversations.model) AS Nullable(Int64)) AS model,
    CAST(COUNT(CASE WHEN NOT (
      live_conversations.input_tokens IS NULL
    ) OR NOT (
      live_conversations.output_tokens IS NULL
    ) THEN 1 END) AS Nullable(Int64)) AS tokens,
    CAST(COUNT(live_conversations.cost_cents) AS Nullable(Int64)) AS cost,
    CAST(COUNT(live_conversations.context_tokens_used) AS Nullable(Int64)) AS context_tokens
  FROM live_conversations AS live_conversations
  WHERE
    live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
  GROUP BY
    live_conversations.machine_id,
    live_conversations.source_id
), empty_figures AS (
  SELECT
    live_conversations.machine_id AS machine_id,
    live_conversations.source_id AS source_id,
    CAST(COUNT(*) AS Nullable(Int64)) AS total,
    CAST(COUNT(CASE WHEN live_conversations.message_count = 0 AND live_conversations.missing_message_count = 0 THEN 1 END) AS Nullable(Int64)) AS empty
  FROM live_conversations AS live_conversations
  GROUP BY
    live_conversations.machine_id,
    live_conversations.source_id
), billed AS (
  SELECT DISTINCT
    usage_events.machine_id AS machine_id,
    usage_events.source_id AS source_id,
    usage_events.conversation_id AS conversation_id,
    usage_events.message_id AS message_id
  FROM usage_events AS usage_events
  WHERE
    usage_events.is_counted AND NOT (
      usage_events.message_id IS NULL
    )
), message_figures AS (
  SELECT
    m.machine_id AS machine_id,
    m.source_id AS source_id,
    CAST(COUNT(*) AS Nullable(Int64)) AS total,
    CAST(COUNT(CASE WHEN m.role = 'user' AND NOT (
      m.is_simulated IS TRUE
    ) THEN 1 END) AS Nullable(Int64)) AS prompts,
    CAST(COUNT(CASE WHEN m.role = 'user' AND NOT (
      m.is_simulated IS TRUE
    ) THEN b.message_id END) AS Nullable(Int64)) AS billed,
    CAST(COUNT(CASE WHEN m.role = 'assistant' THEN 1 END) AS Nullable(Int64)) AS answers,
    CAST(COUNT(CASE WHEN m.role IN ('user', 'assistant') THEN 1 END) AS Nullable(Int64)) AS role_known,
    CAST(COUNT(CASE WHEN m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN 1 END) AS Nullable(Int64)) AS real_time,
    CAST(COUNT(m.created_at) AS Nullable(Int64)) AS any_time,
    CAST(COUNT(CASE WHEN m.role = 'assistant' THEN m.model END) AS Nullable(Int64)) AS model,
    CAST(COUNT(CASE WHEN m.role = 'assistant' AND (
      NOT (
        m.input_tokens IS NULL
      ) OR NOT (
        m.output_tokens IS NULL
      )
    ) THEN 1 END) AS Nullable(Int64)) AS tokens,
    CAST(COUNT(CASE WHEN NOT (
      m.thinking IS NULL
    ) THEN 1 END) AS Nullable(Int64)) AS thoughts,
    CAST(COUNT(CASE WHEN NOT (
      m.thinking IS NULL
    ) THEN m.thinking_duration_ms END) AS Nullable(Int64)) AS thinking_duration
  FROM live_messages AS m
  LEFT JOIN billed AS b
    ON b.machine_id = m.machine_id AND (
      b.source_id = m.source_id AND b.conversation_id = m.conversation_id AND b.message_id = m.message_id
    )
  GROUP BY
    m.machine_id,
    m.source_id
), call_figures AS (
  SELECT
    live_tool_calls.machine_id AS machine_id,
    live_tool_calls.source_id AS source_id,
    CAST(COUNT(*) AS Nullable(Int64)) AS total,
    CAST(COUNT(
      CASE
        WHEN NOT (
          live_tool_calls.result_bytes IS NULL
        )
        AND (
          live_tool_calls.result_origin = 'graph'
          OR CASE
            WHEN live_tool_calls.name IS NULL
            THEN live_tool_calls.tool_number IS NULL OR NOT (
              live_tool_calls.tool_number IN (40, 41)
            )
            ELSE NOT (
              live_tool_calls.name IN ('read_file_v2', 'ripgrep_raw_search')
            )
          END
        )
        THEN 1
      END
    ) AS Nullable(Int64)) AS whole,
    CAST(COUNT(live_tool_calls.started_at) AS Nullable(Int64)) AS started_at,
    CAST(COUNT(live_tool_calls.duration_ms) AS Nullable(Int64)) AS duration,
    CAST(COUNT(live_tool_calls.is_error) AS Nullable(Int64)) AS outcome,
    CAST(COUNT(live_tool_calls.user_decision) AS Nullable(Int64)) AS decision
  FROM live_tool_calls AS live_tool_calls
  GROUP BY
    live_tool_calls.machine_id,
    live_tool_calls.source_id
), edit_figures AS (
  SELECT
    e.machine_id AS machine_id,
    e.source_id AS source_id,
    CAST(COUNT(*) AS Nullable(Int64)) AS total,
    CAST(COUNT(e.is_accepted) AS Nullable(Int64)) AS decision
  FROM code_edits AS e
  SEMI JOIN live_conversations AS c
    ON c.machine_id = e.machine_id AND (
      c.source_id = e.source_id AND c.conversation_id = e.conversation_id
    )
  WHERE
    e.deleted_at IS NULL
  GROUP BY
    e.machine_id,
    e.source_id
)
SELECT
  s.machine_id AS machine_id,
  s.source_id AS source_id,
  x.measure AS measure,
  COALESCE(
    CASE x.measure
      WHEN 'message_time'
      THEN m.real_time
      WHEN 'message_time_inherited'
      THEN m.any_time
      WHEN 'message_role'
      THEN m.role_known
      WHEN 'message_model'
      THEN m.model
      WHEN 'message_tokens'
      THEN m.tokens
      WHEN 'prompt_usage'
      THEN m.billed
      WHEN 'thinking_duration'
      THEN m.thinking_duration
      WHEN 'tool_result'
      THEN t.whole
      WHEN 'tool_start'
      THEN t.started_at
      WHEN 'tool_duration'
      THEN t.duration
      WHEN 'tool_outcome'
      THEN t.outcome
      WHEN 'tool_decision'
      THEN t.decision
      WHEN 'edit_decision'
      THEN e.decision
      WHEN 'conversation_project'
      THEN c.project
      WHEN 'conversation_title'
      THEN c.title
      WHEN 'conversation_created'
      THEN c.created_at
      WHEN 'conversation_model'
      THEN c.model
      WHEN 'conversation_tokens'
      THEN c.tokens
      WHEN 'conversation_cost'
      THEN c.cost
      WHEN 'conversation_context'
      THEN c.context_tokens
      WHEN 'conversation_empty'
      THEN y.empty
    END,
    0
  ) AS known,
  COALESCE(
    CASE x.measure
      WHEN 'message_time'
      THEN m.total
      WHEN 'message_time_inherited'
      THEN m.total
      WHEN 'message_role'
      THEN m.total
      WHEN 'message_model'
      THEN m.answers
      WHEN 'message_tokens'
      THEN m.answers
      WHEN 'prompt_usage'
      THEN m.prompts
      WHEN 'thinking_duration'
      THEN m.thoughts
      WHEN 'tool_result'
      THEN t.total
      WHEN 'tool_start'
      THEN t.total
      WHEN 'tool_duration'
      THEN t.total
      WHEN 'tool_outcome'
      THEN t.total
      WHEN 'tool_decision'
      THEN t.total
      WHEN 'edit_decision'
      THEN e.total
      WHEN 'conversation_project'
      THEN c.total
      WHEN 'conversation_title'
      THEN c.total
      WHEN 'conversation_created'
      THEN c.total
      WHEN 'conversation_model'
      THEN c.total
      WHEN 'conversation_tokens'
      THEN c.total
      WHEN 'conversation_cost'
      THEN c.total
      WHEN 'conversation_context'
      THEN c.total
      WHEN 'conversation_empty'
      THEN y.total
    END,
    0
  ) AS total,
  x.of_what AS of_what
FROM sources AS s
LEFT JOIN conversation_figures AS c
  ON c.machine_id = s.machine_id AND c.source_id = s.source_id
LEFT JOIN empty_figures AS y
  ON y.machine_id = s.machine_id AND y.source_id = s.source_id
LEFT JOIN message_figures AS m
  ON m.machine_id = s.machine_id AND m.source_id = s.source_id
LEFT JOIN call_figures AS t
  ON t.machine_id = s.machine_id AND t.source_id = s.source_id
LEFT JOIN edit_figures AS e
  ON e.machine_id = s.machine_id AND e.source_id = s.source_id
CROSS JOIN (
  SELECT
    'message_time' AS measure,
    'messages; real times: of the message, its header, its tool call, its timing, the agent''s graph or a tag' AS of_what
  UNION ALL
  SELECT
    'message_time_inherited',
    'messages; real or inherited times'
  UNION ALL
  SELECT
    'message_role',
    'messages'
  UNION ALL
  SELECT
    'message_model',
    'assistant messages'
  UNION ALL
  SELECT
    'message_tokens',
    'assistant messages'
  UNION ALL
  SELECT
    'prompt_usage',
    'prompts; an event that Cursor counted is known of them (usage_events)'
  UNION ALL
  SELECT
    'thinking_duration',
    'messages with thinking'
  UNION ALL
  SELECT
    'tool_result',
    'tool calls; a result that is more than the note that the editor keeps of files and searches'
  UNION ALL
  SELECT
    'tool_start',
    'tool calls'
  UNION ALL
  SELECT
    'tool_duration',
    'tool calls'
  UNION ALL
  SELECT
    'tool_outcome',
    'tool calls; is_error is not NULL'
  UNION ALL
  SELECT
    'tool_decision',
    'tool calls'
  UNION ALL
  SELECT
    'edit_decision',
    'code edits'
  UNION ALL
  SELECT
    'conversation_project',
    'conversations'
  UNION ALL
  SELECT
    'conversation_title',
    'conversations'
  UNION ALL
  SELECT
    'conversation_created',
    'conversations'
  UNION ALL
  SELECT
    'conversation_model',
    'conversations'
  UNION ALL
  SELECT
    'conversation_tokens',
    'conversations'
  UNION ALL
  SELECT
    'conversation_cost',
    'conversations'
  UNION ALL
  SELECT
    'conversation_context',
    'conversations'
  UNION ALL
  SELECT
    'conversation_empty',
    'conversations with the empty ones; known ones have no message, and none is missing'
) AS x
WHERE
  NOT (
    s.app IN ('git', 'ai-tracking', 'plans', 'usage')
  )
SETTINGS join_use_nulls = 1;
