-- Where did the agent repeat itself: edit, error, edit of the same file again, three times or more?
-- One row per loop, most rounds first. A loop is a row of at least 3 rounds, one directly after the other, on one file of one conversation; a
-- file may have several. A round is two edits of the file with no edit of it between them, the second at most 20 messages after the first, and
-- at least one error from the first to just before the second. An edit is a call of an edit tool that was not rejected, failed or not. An error
-- is a failed tool call of any kind (the first edit itself among them), a message that is an error, or a message with lint errors (those of an
-- edit's own message count as before it). Whether the error concerns the file is not checked: the store has only text about it.
-- Messages that no header names are passed over, unless the conversation lists none. Edits of old builds, which were no tool calls, are not found.
-- What a fork repeats is passed over, too: repeats counts the edits of all conversations that are, the same in every row.
-- errors counts the errors from the loop's first edit to just before its last; file is the path within the project where it lies in it.
-- Coverage: of the calls from the first edit to the last, outcome_known are known to have succeeded or failed; of the edits, times_known have a recorded time.
CREATE OR REPLACE VIEW answers.edit_loops AS
WITH shown AS MATERIALIZED ( -- with a number each: numbers are quicker to sort by than ids
    SELECT source_id, conversation_id, project_uri, project, display_title AS title, header_count, rtrim(replace(project_path, '\', '/'), '/') || '/' AS folder,
           row_number() OVER () AS conversation_no
    FROM main.live_conversations
    WHERE tool_call_count >= 4 -- three rounds are four edits
), linted AS (
    SELECT DISTINCT source_id, conversation_id, message_id
    FROM main.attachments
    WHERE kind = 'lint' AND message_id IS NOT NULL
), steps AS (
    SELECT source_id, conversation_id, message_id, call_index, true AS is_edit, is_error IS TRUE AS has_failed,
           replace(file_path, '\', '/') AS whole, lines_added, lines_removed
    FROM main.tool_calls
    WHERE tool_kind = 'edit' AND file_path IS NOT NULL AND user_decision IS DISTINCT FROM 'rejected' AND deleted_at IS NULL
    UNION ALL
    SELECT source_id, conversation_id, message_id, call_index, false, true, NULL, NULL, NULL
    FROM main.tool_calls
    WHERE is_error AND (tool_kind <> 'edit' OR file_path IS NULL) AND deleted_at IS NULL
    UNION ALL
    SELECT source_id, conversation_id, message_id, -1, false, true, NULL, NULL, NULL
    FROM linted
    UNION ALL
    SELECT source_id, conversation_id, message_id, -2, false, true, NULL, NULL, NULL
    FROM main.messages
    WHERE kind = 'error'
), counted AS ( -- with the errors that the conversation had before each step
    SELECT c.conversation_no, m.position, s.* EXCLUDE (source_id, conversation_id, message_id),
           CASE WHEN m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN m.created_at END AS real_at,
           count(CASE WHEN s.has_failed THEN 1 END) OVER (PARTITION BY c.conversation_no
               ORDER BY m.position, s.call_index ROWS UNBOUNDED PRECEDING) - TRY_CAST(s.has_failed AS BIGINT) AS errors_before
    FROM steps s
    JOIN main.messages m ON m.source_id = s.source_id AND m.conversation_id = s.conversation_id AND m.message_id = s.message_id
    JOIN shown c ON c.source_id = s.source_id AND c.conversation_id = s.conversation_id
    WHERE m.deleted_at IS NULL AND NOT m.is_repeat AND (m.is_listed OR c.header_count = 0)
), edits AS (
    SELECT n.* EXCLUDE (whole),
           CASE WHEN starts_with(lower(n.whole), lower(c.folder)) THEN substr(n.whole, length(c.folder) + 1) ELSE n.whole END AS file
    FROM counted n
    JOIN shown c ON c.conversation_no = n.conversation_no
    WHERE n.is_edit
), rounds AS (
    SELECT *, errors_before > lag(errors_before) OVER on_file AND position <= CAST(lag(position) OVER on_file AS HUGEINT) + 20 AS ends_round
    FROM edits
    WINDOW on_file AS (PARTITION BY conversation_no, file ORDER BY position, call_index)
), loops AS (
    SELECT *, count(CASE WHEN ends_round IS NOT TRUE THEN 1 END) OVER (PARTITION BY conversation_no, file
        ORDER BY position, call_index ROWS UNBOUNDED PRECEDING) AS loop_no
    FROM rounds
), found AS (
    SELECT conversation_no, file,
           count(*) - 1 AS rounds,
           max(errors_before) - min(errors_before) AS errors,
           count(*) AS edits,
           count(real_at) AS times_known,
           min(real_at) AS started_at,
           max(real_at) AS ended_at,
           count(lines_added) AS lines_known,
           TRY_CAST(sum(lines_added) AS BIGINT) AS lines_added,
           TRY_CAST(sum(lines_removed) AS BIGINT) AS lines_removed,
           min(position) AS first_position,
           max(position) AS last_position
    FROM loops
    GROUP BY conversation_no, file, loop_no
    HAVING count(*) >= 4
), between_edits AS (
    SELECT f.conversation_no, f.file, f.first_position, count(*) AS calls, count(t.is_error) AS outcome_known
    FROM found f
    JOIN shown c ON c.conversation_no = f.conversation_no
    JOIN main.tool_calls t ON t.source_id = c.source_id AND t.conversation_id = c.conversation_id AND t.position BETWEEN f.first_position AND f.last_position
    GROUP BY ALL
), repeated AS (
    SELECT count(*) AS repeats
    FROM main.live_tool_calls
    WHERE tool_kind = 'edit' AND is_repeat
)
SELECT c.source_id, c.project_uri, c.project, c.conversation_id, c.title, f.* EXCLUDE (conversation_no), b.calls, b.outcome_known, r.repeats
FROM found f
CROSS JOIN repeated r
JOIN shown c ON c.conversation_no = f.conversation_no
JOIN between_edits b ON b.conversation_no = f.conversation_no AND b.file = f.file AND b.first_position = f.first_position
ORDER BY f.rounds DESC, f.errors DESC, f.started_at DESC NULLS LAST, c.source_id, c.conversation_id, f.file, f.first_position;
COMMENT ON VIEW answers.edit_loops IS 'Loops of edit, error and edit of the same file, 3 rounds or more; of the calls, outcome_known are known to have succeeded or failed.';
