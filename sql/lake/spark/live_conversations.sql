-- Made by translate.py from sql/views/01_live_conversations.sql, sha256 6bb5df75aab5a90b056db853eb766a20b502b38ad75f94160fce5da8c1465407
-- Conversations that Cursor has now, each once: without deleted and orphaned ones, and without copies in further sources.
CREATE OR REPLACE TEMPORARY VIEW live_conversations AS
SELECT
  c.machine_id AS machine_id,
  c.source_id AS source_id,
  c.conversation_id AS conversation_id,
  c.title AS title,
  c.display_title AS display_title,
  c.subtitle AS subtitle,
  c.project_uri AS project_uri,
  c.project AS project,
  c.project_path AS project_path,
  c.workspace_id AS workspace_id,
  c.project_source AS project_source,
  c.kept_from AS kept_from,
  c.mode AS mode,
  c.status AS status,
  c.model AS model,
  c.max_mode AS max_mode,
  c.thinking_level AS thinking_level,
  c.is_agentic AS is_agentic,
  c.is_archived AS is_archived,
  c.is_draft AS is_draft,
  c.is_subagent AS is_subagent,
  c.parent_conversation_id AS parent_conversation_id,
  c.subagent_type AS subagent_type,
  c.subagent_tool_call_id AS subagent_tool_call_id,
  c.forked_from AS forked_from,
  c.best_of_parent_id AS best_of_parent_id,
  c.format AS format,
  c.store_kind AS store_kind,
  c.completeness AS completeness,
  c.root_blob AS root_blob,
  c.started_time_zone AS started_time_zone,
  c.plan_paths AS plan_paths,
  c.format_version AS format_version,
  c.created_at AS created_at,
  c.updated_at AS updated_at,
  c.last_activity_at AS last_activity_at,
  c.first_message_at AS first_message_at,
  c.last_message_at AS last_message_at,
  c.message_count AS message_count,
  c.user_message_count AS user_message_count,
  c.assistant_message_count AS assistant_message_count,
  c.tool_call_count AS tool_call_count,
  c.header_count AS header_count,
  c.missing_message_count AS missing_message_count,
  c.unlisted_message_count AS unlisted_message_count,
  c.input_tokens AS input_tokens,
  c.output_tokens AS output_tokens,
  c.cost_cents AS cost_cents,
  c.context_tokens_used AS context_tokens_used,
  c.context_token_limit AS context_token_limit,
  c.lines_added AS lines_added,
  c.lines_removed AS lines_removed,
  c.files_changed AS files_changed,
  c.git_branch AS git_branch,
  c.branches AS branches,
  c.is_worktree AS is_worktree,
  c.worktree_path AS worktree_path,
  c.agent_backend AS agent_backend,
  c.draft_text AS draft_text,
  c.summary AS summary,
  c.session_id AS session_id,
  c.first_seen_at AS first_seen_at,
  c.changed_at AS changed_at,
  c.deleted_at AS deleted_at
FROM all_conversations AS c
ANTI JOIN (
  SELECT
    conversation_copies.machine_id AS machine_id,
    conversation_copies.source_id AS source_id,
    conversation_copies.conversation_id AS conversation_id,
    conversation_copies.primary_source_id AS primary_source_id,
    conversation_copies.is_primary AS is_primary,
    conversation_copies.copies AS copies,
    conversation_copies.primary_conversation_id AS primary_conversation_id
  FROM conversation_copies AS conversation_copies
  WHERE
    NOT conversation_copies.is_primary
) AS k
  ON k.machine_id = c.machine_id AND (
    k.source_id = c.source_id AND k.conversation_id = c.conversation_id
  )
WHERE
  c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned';
