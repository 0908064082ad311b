-- Which tools fail most, and in which version of the format?
-- One row per tool and format version of the conversation, most failures first. Placeholders are no tool calls and are not among them.
-- failure_rate is over the calls that are known to have succeeded or failed; last_error is the beginning of the latest error text that the store kept (by the
-- best known time of its message, then by its place; one without any time is the oldest). repeats counts the calls that a fork repeats; no other column includes them.
-- Coverage: of the calls, outcome_known are known to have succeeded or failed; a rejected, cancelled or unfinished call is neither.
CREATE OR REPLACE VIEW answers.tool_failures AS
SELECT coalesce(t.tool, '(unnamed)') AS tool, t.tool_kind, c.format_version,
       count(*) FILTER (WHERE NOT t.is_repeat) AS calls,
       count(t.is_error) FILTER (WHERE NOT t.is_repeat) AS outcome_known,
       count(*) FILTER (WHERE t.is_error AND NOT t.is_repeat) AS failed,
       round(count(*) FILTER (WHERE t.is_error AND NOT t.is_repeat) / nullif(count(t.is_error) FILTER (WHERE NOT t.is_repeat), 0), 4) AS failure_rate,
       arg_max(left(t.error, 200), (coalesce(epoch_ms(m.created_at), 0), t.position, t.source_id, t.conversation_id, t.call_index))
               FILTER (WHERE t.error IS NOT NULL AND NOT t.is_repeat) AS last_error,
       count(*) FILTER (WHERE t.is_repeat) AS repeats
FROM main.live_tool_calls t
JOIN main.live_conversations c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
LEFT JOIN main.messages m ON m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
GROUP BY ALL
ORDER BY failed DESC, calls DESC, tool, c.format_version;
COMMENT ON VIEW answers.tool_failures IS 'Failure rate per tool and format version; of the calls, outcome_known are known to have succeeded or failed.';
