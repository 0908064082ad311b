-- Does an edit of the agent leave a file with more linter errors than before, or with fewer?
-- One row per live conversation and file that somebody reported on; those that got worst first, then the most reports.
-- A report says how many errors a file has at one place of the conversation: a prompt with lints (lints and approximateLintErrors count one each,
-- multiFileLinterErrors as many as they hold), or a read_lints call, whose result lists them by file (linterErrorsByFile; a file in it without errors has 0, an empty result names no file).
-- A prompt that does not name a file says nothing of it: only read_lints can say 0. All severities count.
-- An edited turn is a turn in which edit calls change the file. Before: the last report from its prompt (included) to the first of these calls; after: the first
-- report after the last of them, up to the next prompt (included). Only turns with both are compared: errors_before and errors_after are
-- summed over them. Messages that the header list does not name are left out. Paths are compared with / for \, without a leading ./ and the project's own path.
-- A file of NULL has the lints that name none. Reports that a fork repeats are left out: repeats counts them, for one file each, the same in every row.
-- Coverage: of the edited_turns, compared have a report before and after; of the conversation's lint_calls, lint_calls_read have a result of the known form.
CREATE OR REPLACE VIEW answers.linter_errors AS
WITH chats AS (
    SELECT source_id, conversation_id, display_title AS title, project, CAST(message_count AS HUGEINT) - unlisted_message_count AS listed,
           lower(rtrim(replace(project_path, '\', '/'), '/')) || '/' AS folder
    FROM main.live_conversations
), lint_calls AS (
    SELECT t.source_id, t.conversation_id, t.position, t.is_repeat, coalesce(json_type(t.result) = 'OBJECT'
               AND (json_exists(t.result, '$.linterErrorsByFile') OR t.result = '{}'), false) AS is_read,
           CASE WHEN json_type(t.result, '$.linterErrorsByFile') = 'ARRAY' THEN t.result -> '$.linterErrorsByFile[*]' END AS files
    FROM main.live_tool_calls t
    JOIN chats c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id AND t.position < c.listed
    WHERE t.tool = 'read_lints'
), given AS (
    SELECT m.source_id, m.conversation_id, m.position, m.is_repeat, a.path,
           CASE WHEN json_type(a.detail, '$.errors') = 'ARRAY' THEN json_array_length(a.detail, '$.errors') ELSE 1 END AS errors
    FROM main.attachments a
    JOIN main.live_messages m ON m.source_id = a.source_id AND m.conversation_id = a.conversation_id AND m.message_id = a.message_id
    WHERE a.kind = 'lint' AND m.role = 'user' AND NOT m.is_simulated AND m.is_listed
    UNION ALL
    SELECT source_id, conversation_id, position, is_repeat, file ->> '$.relativeWorkspacePath',
           CASE WHEN json_type(file, '$.errors') = 'ARRAY' THEN json_array_length(file, '$.errors') ELSE 0 END
    FROM (SELECT source_id, conversation_id, position, is_repeat, unnest(files) AS file FROM lint_calls)
), reports AS (
    SELECT g.source_id, g.conversation_id, g.position, TRY_CAST(sum(g.errors) AS BIGINT) AS errors,
           CASE WHEN starts_with(lower(g.slashed), c.folder) THEN substr(g.slashed, length(c.folder) + 1) ELSE g.slashed END AS file
    FROM (SELECT *, regexp_replace(replace(path, '\', '/'), '^(\./)+', '') AS slashed FROM given WHERE NOT is_repeat) g
    JOIN chats c ON c.source_id = g.source_id AND c.conversation_id = g.conversation_id
    GROUP BY ALL
), prompts AS (
    SELECT source_id, conversation_id, position AS prompt,
           lead(position) OVER (PARTITION BY source_id, conversation_id ORDER BY position) AS next_prompt
    FROM main.live_messages
    WHERE role = 'user' AND NOT is_simulated AND is_listed
), calls AS (
    SELECT t.source_id, t.conversation_id, t.position,
           CASE WHEN starts_with(lower(t.slashed), c.folder) THEN substr(t.slashed, length(c.folder) + 1) ELSE t.slashed END AS file
    FROM (SELECT source_id, conversation_id, position, regexp_replace(replace(file_path, '\', '/'), '^(\./)+', '') AS slashed
          FROM main.live_tool_calls
          WHERE tool_kind = 'edit' AND file_path IS NOT NULL AND is_error IS NOT TRUE AND NOT is_repeat) t
    JOIN chats c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id AND t.position < c.listed
), edited AS (
    SELECT t.source_id, t.conversation_id, t.file, p.prompt, p.next_prompt, min(t.position) AS first_edit, max(t.position) AS last_edit, count(*) AS edits
    FROM calls t
    SEMI JOIN reports r ON r.source_id = t.source_id AND r.conversation_id = t.conversation_id AND r.file = t.file
    ASOF JOIN prompts p ON p.source_id = t.source_id AND p.conversation_id = t.conversation_id AND t.position >= p.prompt
    GROUP BY ALL
), compared AS (
    SELECT e.source_id, e.conversation_id, e.file, e.prompt, any_value(e.edits) AS edits,
           arg_max(r.errors, r.position) FILTER (WHERE r.position >= e.prompt AND r.position < e.first_edit) AS before_turn,
           arg_min(r.errors, r.position) FILTER (WHERE r.position > e.last_edit AND r.position <= coalesce(e.next_prompt, r.position)) AS after_turn
    FROM edited e
    JOIN reports r ON r.source_id = e.source_id AND r.conversation_id = e.conversation_id AND r.file = e.file
    GROUP BY e.source_id, e.conversation_id, e.file, e.prompt
), turns AS (
    SELECT source_id, conversation_id, file, count(*) AS edited_turns, TRY_CAST(sum(edits) AS BIGINT) AS edits,
           count(before_turn) FILTER (WHERE after_turn IS NOT NULL) AS compared,
           TRY_CAST(sum(before_turn) FILTER (WHERE after_turn IS NOT NULL) AS BIGINT) AS errors_before,
           TRY_CAST(sum(after_turn) FILTER (WHERE before_turn IS NOT NULL) AS BIGINT) AS errors_after,
           count(*) FILTER (WHERE after_turn > before_turn) AS turns_worse,
           count(*) FILTER (WHERE after_turn < before_turn) AS turns_better
    FROM compared
    GROUP BY source_id, conversation_id, file
), reported AS (
    SELECT source_id, conversation_id, file, count(*) AS reports, arg_min(errors, position) AS first_errors, arg_max(errors, position) AS last_errors,
           max(errors) AS most_errors
    FROM reports
    GROUP BY source_id, conversation_id, file
), lint_totals AS (
    SELECT source_id, conversation_id, count(*) AS lint_calls, count(*) FILTER (WHERE is_read) AS lint_calls_read
    FROM lint_calls
    WHERE NOT is_repeat
    GROUP BY source_id, conversation_id
), repeated AS (
    SELECT count(*) AS repeats FROM given WHERE is_repeat
)
SELECT r.source_id, r.conversation_id, c.title, c.project, r.file, r.reports, r.first_errors, r.last_errors, r.most_errors,
       coalesce(x.edits, 0) AS edits, coalesce(x.edited_turns, 0) AS edited_turns, coalesce(x.compared, 0) AS compared,
       x.errors_before, x.errors_after, coalesce(x.turns_worse, 0) AS turns_worse, coalesce(x.turns_better, 0) AS turns_better,
       coalesce(l.lint_calls, 0) AS lint_calls, coalesce(l.lint_calls_read, 0) AS lint_calls_read, n.repeats
FROM reported r
CROSS JOIN repeated n
JOIN chats c ON c.source_id = r.source_id AND c.conversation_id = r.conversation_id
LEFT JOIN turns x ON x.source_id = r.source_id AND x.conversation_id = r.conversation_id AND x.file = r.file
LEFT JOIN lint_totals l ON l.source_id = r.source_id AND l.conversation_id = r.conversation_id
ORDER BY CAST(x.errors_after AS HUGEINT) - x.errors_before DESC NULLS LAST, r.reports DESC, r.most_errors DESC, r.source_id, r.conversation_id, r.file NULLS LAST;
COMMENT ON VIEW answers.linter_errors IS 'Linter errors per conversation and file, before and after turns that edit it; of the edited_turns, compared have a report before and after.';
