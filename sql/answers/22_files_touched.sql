-- Which files does the agent read and edit most, and which does it read but never edit?
-- One row per project and file, most edits and reads first. It counts tool calls: read_file (Read and ReadFile in newer builds) for reads (listings, lints and rules are none), every call
-- of kind edit that names a file for edits (delete_file also in deletes); a call that failed counts in failed only. Code that was proposed in a chat and
-- applied by hand is in code_edits. read_never_edited: read, and no edit of it in the project, by any source.
-- A file is identified by its path in the call: with / for \, without a leading ./ and without the project's own path before it. Two
-- spellings that differ in other ways are two files. first_at and last_at are the best known times of the messages, inherited ones included.
-- Calls that a fork repeats are left out: repeats counts those of all projects that name a file, the same in every row.
-- Coverage: of the calls, times_known have a recorded time; of the project's reads and edits (project_calls), project_calls_with_file name their file.
CREATE OR REPLACE VIEW answers.files_touched AS
WITH calls AS (
    SELECT t.source_id, t.conversation_id, t.message_id, t.tool, t.tool_kind, t.is_error IS NOT TRUE AS done,
           regexp_replace(replace(t.file_path, '\', '/'), '^(\./)+', '') AS path
    FROM main.live_tool_calls t
    WHERE (t.tool_kind = 'edit' OR t.tool IN ('read_file', 'Read', 'ReadFile')) AND NOT t.is_repeat
), repeated AS (
    SELECT count(*) AS repeats
    FROM main.live_tool_calls
    WHERE (tool_kind = 'edit' OR tool IN ('read_file', 'Read', 'ReadFile')) AND file_path IS NOT NULL AND is_repeat
), placed AS (
    SELECT c.project_uri, c.project, t.source_id, t.conversation_id, t.tool, t.tool_kind, t.done,
           -- only a message's own time is real; an inherited one still says about when
           m.created_at, m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') AS timed,
           CASE WHEN c.project_path <> '' AND starts_with(lower(t.path), lower(rtrim(replace(c.project_path, '\', '/'), '/')) || '/')
                THEN substr(t.path, length(rtrim(c.project_path, '\/')) + 2) ELSE t.path END AS file
    FROM calls t
    JOIN main.live_conversations c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    LEFT JOIN main.messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
), files AS (
    SELECT project_uri, project, file,
           count(*) FILTER (WHERE done AND tool_kind = 'edit') AS edits,
           count(*) FILTER (WHERE done AND tool_kind <> 'edit') AS reads,
           count(*) FILTER (WHERE done AND tool = 'delete_file') AS deletes,
           count(*) FILTER (WHERE NOT done) AS failed,
           count(DISTINCT (source_id, conversation_id)) AS conversations,
           min(created_at) AS first_at, max(created_at) AS last_at,
           count(*) AS calls, count(*) FILTER (WHERE timed) AS times_known
    FROM placed
    GROUP BY project_uri, project, file
), counted AS (
    SELECT *, TRY_CAST(sum(calls) OVER (PARTITION BY project_uri, project) AS BIGINT) AS project_calls,
           TRY_CAST(coalesce(sum(calls) FILTER (WHERE file IS NOT NULL) OVER (PARTITION BY project_uri, project), 0) AS BIGINT) AS project_calls_with_file
    FROM files
)
SELECT project_uri, project, file, edits, reads, deletes, failed, reads > 0 AND edits = 0 AS read_never_edited, conversations, first_at, last_at,
       calls, times_known, project_calls, project_calls_with_file, repeats
FROM counted
CROSS JOIN repeated
WHERE file IS NOT NULL
ORDER BY edits DESC, reads DESC, failed DESC, project_uri NULLS LAST, file;
COMMENT ON VIEW answers.files_touched IS 'Reads and edits per project and file; of the calls, times_known have a recorded time; of the project_calls, project_calls_with_file name their file.';
