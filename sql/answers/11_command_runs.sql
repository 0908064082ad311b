-- How did each shell command end?
-- One row per call of a shell tool (writing to the input of a running command is none), the latest first.
-- program is the word that names the program: leading comment lines, `cd ... &&`, assignments of variables, brackets and sudo, env, time, nohup,
-- exec and command with their flags are passed over, then the path before the name and .exe. Of a chain (a && b, a | b) it is the first.
-- exit_code is what the result holds: exitCodeV2, else exitCode, else exit_code. is_rejected: true where the user said no, by the decision or by
-- the result; false where the user agreed; NULL where nobody was asked, or the answer was another. is_failed: true for an error or an exit code
-- that is not 0; false where neither is so and one is recorded; NULL else, and for what was rejected: it did not run.
-- Coverage: NULL in is_failed, is_rejected, exit_code and duration_ms is what is not recorded; created_at_source says how well the time is known.
CREATE OR REPLACE VIEW command_runs AS
WITH calls AS (
    SELECT source_id, conversation_id, message_id, call_index, position, command, user_decision, is_error, error, duration_ms,
           -- a result that is no object has none of these
           json_extract_string(result, ['$.exitCodeV2', '$.exitCode', '$.exit_code', '$.rejected']) AS ends
    FROM live_tool_calls
    WHERE tool_kind = 'shell' AND tool IS DISTINCT FROM 'write_shell_stdin'
), known AS (
    SELECT * EXCLUDE (ends),
           regexp_extract(command, '^(?:[\s({]+|#[^\n]*\n|cd(?:[ \t]+(?:"[^"]*"|''[^'']*''|[^\s;&|]+))?\s*(?:&&|;|\n)'
               || '|[A-Za-z_]\w*=(?:"[^"]*"|''[^'']*''|[^\s;&|]*)\s+|(?:sudo|env|time|nohup|exec|command)\s+(?:-[ugpC]\s+\S+\s+|-\S+\s+)*)*'
               || '("[^"]+"|''[^'']+''|[^\s;&|<>(){}"'']+)', 1) AS word,
           coalesce(TRY_CAST(ends[1] AS BIGINT), TRY_CAST(ends[2] AS BIGINT), TRY_CAST(ends[3] AS BIGINT)) AS exit_code,
           CASE WHEN user_decision = 'rejected' OR ends[4] = 'true' THEN true WHEN user_decision = 'accepted' THEN false END AS is_rejected
    FROM calls
)
SELECT k.source_id, c.project_uri, c.project, k.conversation_id, c.title, k.message_id, k.call_index, k.position,
       m.created_at, m.created_at_source,
       nullif(regexp_replace(regexp_replace(trim(k.word, '"'''), '^.*[/\\]', ''), '(?i)\.exe$', ''), '') AS program,
       k.command, k.is_rejected,
       CASE WHEN k.is_rejected THEN NULL
            WHEN k.is_error OR k.exit_code <> 0 THEN true
            WHEN k.is_error IS NOT NULL OR k.exit_code IS NOT NULL THEN false END AS is_failed,
       k.exit_code, k.error, k.duration_ms
FROM known k
JOIN live_conversations c ON c.source_id = k.source_id AND c.conversation_id = k.conversation_id
LEFT JOIN messages m ON m.source_id = k.source_id AND m.conversation_id = k.conversation_id AND m.message_id = k.message_id
ORDER BY m.created_at DESC NULLS LAST, k.source_id, k.conversation_id, k.position DESC, k.message_id, k.call_index;
COMMENT ON VIEW command_runs IS 'Every shell command with its program, exit code and outcome; NULL is what is not recorded.';
