-- Made by translate.py from sql/answers/21_subagents.sql, sha256 eeb996d6495ac4e38dde32928d8ed37f93ee3f755dd724cc45e5dd6d705ddcf0
-- Subagents with their parent, depth, work and status; outcome_known of tool_calls have a recorded outcome.
CREATE OR REPLACE TEMP VIEW subagents AS
WITH RECURSIVE tree(machine_id, source_id, conversation_id, root_id, depth) AS (
  SELECT
    conversations.machine_id AS machine_id,
    conversations.source_id AS source_id,
    conversations.conversation_id AS conversation_id,
    conversations.conversation_id AS root_id,
    0 AS depth
  FROM conversations AS conversations
  WHERE
    NOT conversations.is_subagent
  UNION ALL
  SELECT
    t.machine_id AS machine_id,
    c.source_id AS source_id,
    c.conversation_id AS conversation_id,
    t.root_id AS root_id,
    t.depth + 1 AS depth
  FROM tree AS t
  JOIN conversations AS c
    ON c.machine_id = t.machine_id AND (
      c.source_id = t.source_id AND c.parent_conversation_id = t.conversation_id
    )
  WHERE
    c.is_subagent AND t.depth < 100
), asked AS (
  SELECT
    live_tool_calls.machine_id AS machine_id,
    live_tool_calls.source_id AS source_id,
    live_tool_calls.conversation_id AS parent_id,
    live_tool_calls.subagent_id AS subagent_id,
    live_tool_calls.tool_call_id AS tool_call_id,
    live_tool_calls.params ->> '$.subagentType' AS type,
    live_tool_calls.position AS position
  FROM live_tool_calls AS live_tool_calls
  WHERE
    NOT (
      live_tool_calls.params ->> '$.subagentType'
    ) IS NULL
), naming AS (
  SELECT
    asked.machine_id AS machine_id,
    asked.source_id AS source_id,
    asked.parent_id AS parent_id,
    asked.subagent_id AS subagent_id,
    ARG_MAX(asked.type, asked.position) AS type
  FROM asked AS asked
  WHERE
    NOT asked.subagent_id IS NULL
  GROUP BY
    asked.machine_id,
    asked.source_id,
    asked.parent_id,
    asked.subagent_id
), named AS (
  SELECT
    asked.machine_id AS machine_id,
    asked.source_id AS source_id,
    asked.parent_id AS parent_id,
    asked.tool_call_id AS tool_call_id,
    ARG_MAX(asked.type, asked.position) AS type
  FROM asked AS asked
  WHERE
    NOT asked.tool_call_id IS NULL
  GROUP BY
    asked.machine_id,
    asked.source_id,
    asked.parent_id,
    asked.tool_call_id
), outcomes AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    COUNT(t.is_error) AS known,
    COUNT(*) FILTER(WHERE
      t.is_error) AS failed
  FROM live_tool_calls AS t
  SEMI JOIN conversations AS c
    ON c.machine_id = t.machine_id AND (
      c.source_id = t.source_id AND c.conversation_id = t.conversation_id AND c.is_subagent
    )
  GROUP BY
    t.machine_id,
    t.source_id,
    t.conversation_id
), placed AS (
  SELECT
    s.machine_id AS machine_id,
    s.source_id AS source_id,
    s.conversation_id AS conversation_id,
    s.title AS title,
    s.display_title AS display_title,
    s.subtitle AS subtitle,
    s.project_uri AS project_uri,
    s.project AS project,
    s.project_path AS project_path,
    s.workspace_id AS workspace_id,
    s.project_source AS project_source,
    s.kept_from AS kept_from,
    s.mode AS mode,
    s.status AS status,
    s.model AS model,
    s.max_mode AS max_mode,
    s.thinking_level AS thinking_level,
    s.is_agentic AS is_agentic,
    s.is_archived AS is_archived,
    s.is_draft AS is_draft,
    s.is_subagent AS is_subagent,
    s.parent_conversation_id AS parent_conversation_id,
    s.subagent_type AS subagent_type,
    s.subagent_tool_call_id AS subagent_tool_call_id,
    s.forked_from AS forked_from,
    s.best_of_parent_id AS best_of_parent_id,
    s.format AS format,
    s.store_kind AS store_kind,
    s.completeness AS completeness,
    s.root_blob AS root_blob,
    s.started_time_zone AS started_time_zone,
    s.plan_paths AS plan_paths,
    s.format_version AS format_version,
    s.created_at AS created_at,
    s.updated_at AS updated_at,
    s.last_activity_at AS last_activity_at,
    s.first_message_at AS first_message_at,
    s.last_message_at AS last_message_at,
    s.message_count AS message_count,
    s.user_message_count AS user_message_count,
    s.assistant_message_count AS assistant_message_count,
    s.tool_call_count AS tool_call_count,
    s.header_count AS header_count,
    s.missing_message_count AS missing_message_count,
    s.unlisted_message_count AS unlisted_message_count,
    s.input_tokens AS input_tokens,
    s.output_tokens AS output_tokens,
    s.cost_cents AS cost_cents,
    s.context_tokens_used AS context_tokens_used,
    s.context_token_limit AS context_token_limit,
    s.lines_added AS lines_added,
    s.lines_removed AS lines_removed,
    s.files_changed AS files_changed,
    s.git_branch AS git_branch,
    s.branches AS branches,
    s.is_worktree AS is_worktree,
    s.worktree_path AS worktree_path,
    s.agent_backend AS agent_backend,
    s.draft_text AS draft_text,
    s.summary AS summary,
    s.session_id AS session_id,
    s.first_seen_at AS first_seen_at,
    s.changed_at AS changed_at,
    s.deleted_at AS deleted_at,
    COALESCE(k.primary_source_id, s.source_id) AS parent_source_id
  FROM live_conversations AS s
  LEFT JOIN conversation_copies AS k
    ON k.machine_id = s.machine_id AND (
      k.source_id = s.source_id AND k.conversation_id = s.parent_conversation_id
    )
  WHERE
    s.is_subagent AND (
      s.message_count > 0 OR s.missing_message_count > 0
    )
), children AS (
  SELECT
    placed.machine_id AS machine_id,
    placed.parent_source_id AS source_id,
    placed.parent_conversation_id AS conversation_id,
    COUNT(*) AS children
  FROM placed AS placed
  WHERE
    NOT placed.parent_conversation_id IS NULL
  GROUP BY
    placed.machine_id,
    placed.parent_source_id,
    placed.parent_conversation_id
)
SELECT
  s.machine_id AS machine_id,
  s.source_id AS source_id,
  s.parent_conversation_id AS parent_conversation_id,
  p.display_title AS parent_title,
  NOT p.deleted_at IS NULL OR p.status IS NOT DISTINCT FROM 'orphaned' AS parent_is_lost,
  siblings.children AS subagents_of_parent,
  s.conversation_id AS conversation_id,
  s.display_title AS title,
  s.project AS project,
  t.depth AS depth,
  t.root_id AS root_conversation_id,
  COALESCE(own.children, 0) AS subagents,
  COALESCE(s.subagent_type, k.type, n.type) AS type,
  s.mode AS mode,
  s.model AS model,
  s.status AS status,
  s.message_count AS messages,
  s.tool_call_count AS tool_calls,
  COALESCE(o.known, 0) AS outcome_known,
  COALESCE(o.failed, 0) AS failed,
  s.lines_added AS lines_added,
  s.lines_removed AS lines_removed,
  s.files_changed AS files_changed,
  COALESCE(s.created_at, s.first_message_at) AS started_at,
  EPOCH_MS(s.last_message_at) - EPOCH_MS(s.first_message_at) AS duration_ms,
  COUNT(*) OVER (PARTITION BY s.machine_id, s.source_id) AS subagents_in_source,
  COUNT(s.parent_conversation_id) OVER (PARTITION BY s.machine_id, s.source_id) AS subagents_with_parent
FROM placed AS s
LEFT JOIN conversations AS p
  ON p.machine_id = s.machine_id AND (
    p.source_id = s.parent_source_id AND p.conversation_id = s.parent_conversation_id
  )
LEFT JOIN tree AS t
  ON t.machine_id = s.machine_id AND (
    t.source_id = s.source_id AND t.conversation_id = s.conversation_id
  )
LEFT JOIN naming AS k
  ON k.machine_id = s.machine_id
  AND (
    k.source_id = s.parent_source_id AND k.parent_id = s.parent_conversation_id AND k.subagent_id = s.conversation_id
  )
LEFT JOIN named AS n
  ON n.machine_id = s.machine_id
  AND (
    n.source_id = s.parent_source_id AND n.parent_id = s.parent_conversation_id AND n.tool_call_id = s.subagent_tool_call_id
  )
LEFT JOIN outcomes AS o
  ON o.machine_id = s.machine_id AND (
    o.source_id = s.source_id AND o.conversation_id = s.conversation_id
  )
LEFT JOIN children AS siblings
  ON siblings.machine_id = s.machine_id AND (
    siblings.source_id = s.parent_source_id AND siblings.conversation_id = s.parent_conversation_id
  )
LEFT JOIN children AS own
  ON own.machine_id = s.machine_id AND (
    own.source_id = s.source_id AND own.conversation_id = s.conversation_id
  );
