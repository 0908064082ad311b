-- How did each shell command end?
-- One row per call of a shell tool (writing to the input of a running command is none), the latest first.
-- program is the word that names the program: leading comment lines, `cd ... &&`, assignments of variables, brackets and sudo, env, time, nohup,
-- exec and command with their flags are passed over, then the path before the name and .exe. Of a chain (a && b, a | b) it is the first.
-- is_rejected: true where the user said no; false where the user agreed; NULL where nobody was asked, or the answer was another. is_failed is
-- tool_calls.is_error: true for an error or an exit code that is not 0, false where the call is recorded as done, NULL else, and for what was
-- rejected or cancelled.
-- Commands that a fork repeats have no row: repeats counts those of all conversations, the same in every row.
-- Coverage: NULL in is_failed, is_rejected, exit_code and duration_ms is what is not recorded; created_at_source says how well the time is known.
CREATE OR REPLACE VIEW answers.command_runs AS
WITH known AS (
    SELECT source_id, conversation_id, message_id, call_index, position, command, is_error, exit_code, error, duration_ms,
           regexp_extract(command, '^(?:[\s({]+|#[^\n]*\n|cd(?:[ \t]+(?:"[^"]*"|''[^'']*''|[^\s;&|]+))?\s*(?:&&|;|\n)'
               || '|[A-Za-z_]\w*=(?:"[^"]*"|''[^'']*''|[^\s;&|]*)\s+|(?:sudo|env|time|nohup|exec|command)\s+(?:-[ugpC]\s+\S+\s+|-\S+\s+)*)*'
               || '("[^"]+"|''[^'']+''|[^\s;&|<>(){}"'']+)', 1) AS word,
           CASE user_decision WHEN 'rejected' THEN true WHEN 'accepted' THEN false END AS is_rejected
    FROM main.live_tool_calls
    WHERE tool_kind = 'shell' AND tool IS DISTINCT FROM 'write_shell_stdin' AND NOT is_repeat
), repeated AS (
    SELECT count(*) AS repeats
    FROM main.live_tool_calls
    WHERE tool_kind = 'shell' AND tool IS DISTINCT FROM 'write_shell_stdin' AND is_repeat
)
SELECT k.source_id, c.project_uri, c.project, k.conversation_id, c.display_title AS title, k.message_id, k.call_index, k.position,
       m.created_at, m.created_at_source,
       nullif(regexp_replace(regexp_replace(trim(k.word, '"'''), '^.*[/\\]', ''), '(?i)\.exe$', ''), '') AS program,
       k.command, k.is_rejected, k.is_error AS is_failed, k.exit_code, k.error, k.duration_ms, r.repeats
FROM known k
CROSS JOIN repeated r
JOIN main.live_conversations c ON c.source_id = k.source_id AND c.conversation_id = k.conversation_id
LEFT JOIN main.messages m ON m.source_id = k.source_id AND m.conversation_id = k.conversation_id AND m.message_id = k.message_id
ORDER BY m.created_at DESC NULLS LAST, k.source_id, k.conversation_id, k.position DESC, k.message_id, k.call_index;
COMMENT ON VIEW answers.command_runs IS 'Every shell command with its program, exit code and outcome; NULL is what is not recorded.';
