-- How far did prompts get: to a reply, a tool call, an edit, a commit?
-- One row per day (of the prompt, by its best known time, in the reader's TimeZone) and project. prompts are the user's own messages, each once (see
-- active_time_per_day); each begins a turn. The chain is prompts, replied, called_tools, proposed_edits, committed: a turn counts in a step only if it
-- passed every step before. replied: a message of the assistant holds text, a thought or a tool call (an error alone is no reply). proposed_edits: one of
-- the turn's edits in code_edit_outcomes; edits_without_tools are the turns that replied and proposed one without any tool call, beside the chain.
-- decided_edits of proposed_edits have an edit that was accepted or rejected, accepted_edits one that was accepted. committed: not all of the
-- turn's edits are known to be rejected, and its conversation led to a commit (conversation_commits) at or after the prompt; committed_edits are
-- those of them where such a commit changed a file that the conversation had edited.
-- Coverage: committed and committed_edits are NULL where no repository of the project was read; commits_known are the proposed_edits of the others.
CREATE OR REPLACE VIEW report.funnel AS
WITH turns AS (
    SELECT source_id, conversation_id, turn,
           bool_or(role = 'assistant' AND kind IN ('text', 'thinking', 'tool_call')) AS replied,
           bool_or(kind = 'tool_call') AS called
    FROM main.messages
    WHERE deleted_at IS NULL
    GROUP BY ALL
), edits AS (
    SELECT source_id, conversation_id, turn,
           count(is_accepted) > 0 AS decided,
           coalesce(bool_or(is_accepted), false) AS accepted,
           bool_or(is_accepted IS NOT FALSE) AS may_stand
    FROM answers.code_edit_outcomes
    GROUP BY ALL
), led AS (
    SELECT source_id, conversation_id, max(committed_at) AS last_at, max(committed_at) FILTER (WHERE edited_files > 0) AS last_edited_at
    FROM main.conversation_commits
    GROUP BY ALL
), read_projects AS (
    SELECT DISTINCT coalesce(a.new_project_uri, r.project_uri) AS project_uri
    FROM main.repositories r
    LEFT JOIN main.project_aliases a ON a.project_uri = r.project_uri
), steps AS (
    SELECT m.created_at, c.project_uri, c.project, r.project_uri IS NOT NULL AS is_read,
           t.replied,
           t.replied AND t.called AS called,
           t.replied AND e.turn IS NOT NULL AS edited,
           e.decided, e.accepted,
           e.may_stand AND l.last_at >= m.created_at AS committed,
           e.may_stand AND l.last_edited_at >= m.created_at AS committed_edits
    FROM main.messages m
    JOIN main.live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    JOIN turns t ON t.source_id = m.source_id AND t.conversation_id = m.conversation_id AND t.turn = m.turn
    LEFT JOIN edits e ON e.source_id = m.source_id AND e.conversation_id = m.conversation_id AND e.turn = m.turn
    LEFT JOIN led l ON l.source_id = m.source_id AND l.conversation_id = m.conversation_id
    LEFT JOIN read_projects r ON r.project_uri = c.project_uri
    WHERE m.deleted_at IS NULL AND m.role = 'user' AND NOT m.is_simulated AND NOT c.is_subagent AND NOT m.is_repeat AND c.best_of_parent_id IS NULL
)
SELECT CAST(created_at AS DATE) AS day, project_uri, project,
       count(*) AS prompts,
       count(*) FILTER (WHERE replied) AS replied,
       count(*) FILTER (WHERE called) AS called_tools,
       count(*) FILTER (WHERE called AND edited) AS proposed_edits,
       count(*) FILTER (WHERE called AND edited AND decided) AS decided_edits,
       count(*) FILTER (WHERE called AND edited AND accepted) AS accepted_edits,
       count(*) FILTER (WHERE edited AND NOT called) AS edits_without_tools,
       count(*) FILTER (WHERE called AND edited AND is_read) AS commits_known,
       CASE WHEN bool_or(is_read) THEN count(*) FILTER (WHERE called AND edited AND committed) END AS committed,
       CASE WHEN bool_or(is_read) THEN count(*) FILTER (WHERE called AND edited AND committed_edits) END AS committed_edits
FROM steps
GROUP BY ALL;
COMMENT ON VIEW report.funnel IS 'Turns per day and project that led to a reply, a tool call, an edit and a commit; committed NULL: no repository of the project was read.';
