-- Estimates what turns took of which no event is known, in tokens and cost, with the list of model_prices. Nothing that is recorded is changed.
--
-- A turn whose messages record tokens has these. Of any other the stored texts are counted (the function count_tokens, which the loader defines), as though it was
-- one request: input is the prompt, the results of its tool calls, and all that the conversation had before it but thinking, since its last
-- compaction and without branches that were left; output is its answers, its thinking and the
-- arguments of its tool calls. Turns that a fork has from another conversation belong to that one; of a conversation that several sources have, the primary counts.
-- A load counts the turns of conversations that it changed, and those that it has not yet counted; it prices all of them.
-- A load skips it while model_prices is empty.

CREATE OR REPLACE TEMP TABLE _estimate_turns AS
WITH said AS (
    SELECT m.source_id, m.conversation_id, m.turn, m.message_id, m.position, m.model, c.model AS conversation_model, m.is_repeat, m.created_at, m.input_tokens, m.output_tokens,
           m.role = 'user' AND (NOT m.is_simulated OR c.is_subagent) AS is_prompt -- what an agent told its subagent is the prompt there
    FROM messages m
    JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
    WHERE m.turn IS NOT NULL AND (m.deleted_at IS NULL OR c.deleted_at IS NOT NULL)
), turns AS (
    SELECT source_id, conversation_id, turn, arg_min(message_id, (position, message_id)) FILTER (is_prompt) AS message_id, max(created_at) AS occurred_at,
           coalesce(arg_min(model, (position, message_id)) FILTER (NOT is_prompt AND model IS NOT NULL), any_value(conversation_model)) AS model,
           TRY_CAST(sum(input_tokens) AS BIGINT) AS input_tokens, TRY_CAST(sum(output_tokens) AS BIGINT) AS output_tokens
    FROM said
    GROUP BY source_id, conversation_id, turn
    HAVING count(*) FILTER (is_prompt AND NOT is_repeat) > 0 AND count(*) FILTER (NOT is_prompt) > 0
)
SELECT t.*, e.message_id IS NOT NULL AS is_kept, e.input_tokens AS kept_input, e.output_tokens AS kept_output, e.load_id
FROM turns t
ANTI JOIN (FROM usage_events WHERE coalesce(fresh_input_tokens, output_tokens) IS NOT NULL OR cost_cents IS NOT NULL OR NOT is_counted) u -- others say nothing of what it took
    ON u.source_id = t.source_id AND u.conversation_id = t.conversation_id AND u.message_id = t.message_id
LEFT JOIN (FROM turn_estimates o ANTI JOIN _changed n ON n.source_id = o.source_id AND n.conversation_id = o.conversation_id) e
    ON e.source_id = t.source_id AND e.conversation_id = t.conversation_id AND e.message_id = t.message_id
    AND (e.method = 'recorded') = (t.input_tokens IS NOT NULL OR t.output_tokens IS NOT NULL)
WHERE EXISTS (FROM model_prices);

CREATE OR REPLACE TEMP TABLE _estimate_tokens AS
WITH wanted AS (
    SELECT DISTINCT source_id, conversation_id
    FROM _estimate_turns
    WHERE NOT is_kept AND input_tokens IS NULL AND output_tokens IS NULL
), calls AS (
    SELECT t.source_id, t.conversation_id, t.message_id, sum(coalesce(count_tokens(coalesce(t.raw_args, CAST(t.params AS VARCHAR))), 0)) AS arguments,
           sum(coalesce(count_tokens(CAST(t.result AS VARCHAR)), 0)) AS results
    FROM tool_calls t
    SEMI JOIN wanted w ON w.source_id = t.source_id AND w.conversation_id = t.conversation_id
    JOIN conversations k ON k.source_id = t.source_id AND k.conversation_id = t.conversation_id
    WHERE t.deleted_at IS NULL OR k.deleted_at IS NOT NULL
    GROUP BY t.source_id, t.conversation_id, t.message_id
), messages_of AS (
    SELECT m.source_id, m.conversation_id, m.turn, m.role = 'user' AS is_user, m.kind = 'compaction' AS is_compaction,
           m.is_listed OR NOT bool_or(m.is_listed) OVER (PARTITION BY m.source_id, m.conversation_id) AS in_order, coalesce(count_tokens(m.text), 0) AS text, coalesce(count_tokens(m.thinking), 0) AS thinking,
           coalesce(c.arguments, 0) AS arguments, coalesce(c.results, 0) AS results
    FROM messages m
    SEMI JOIN wanted w ON w.source_id = m.source_id AND w.conversation_id = m.conversation_id
    JOIN conversations k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
    LEFT JOIN calls c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id AND c.message_id = m.message_id
    WHERE m.turn IS NOT NULL AND (m.deleted_at IS NULL OR k.deleted_at IS NOT NULL)
), turns AS (
    SELECT source_id, conversation_id, turn, coalesce(sum(text) FILTER (is_user), 0) + sum(results) AS given, coalesce(sum(text) FILTER (NOT is_user), 0) + sum(arguments) AS said, sum(thinking) AS thinking,
           bool_and(in_order) AS in_order, bool_or(is_compaction) AS is_compacted
    FROM messages_of
    GROUP BY source_id, conversation_id, turn
), eras AS ( -- what was before a compaction is no longer read
    SELECT *, sum((is_compacted AND in_order)::INTEGER) OVER (PARTITION BY source_id, conversation_id ORDER BY turn ROWS UNBOUNDED PRECEDING) AS era
    FROM turns
)
SELECT source_id, conversation_id, turn, given + CASE WHEN in_order THEN coalesce(sum(CASE WHEN in_order THEN given + said ELSE 0 END) OVER before, 0) ELSE 0 END AS input_tokens, said + thinking AS output_tokens
FROM eras
WINDOW before AS (PARTITION BY source_id, conversation_id, era ORDER BY turn ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING);

CREATE OR REPLACE TEMP TABLE _estimates AS
WITH counted AS (
    SELECT t.source_id, t.conversation_id, t.message_id, t.occurred_at, t.model, t.input_tokens IS NOT NULL OR t.output_tokens IS NOT NULL AS is_recorded,
           t.input_tokens, t.output_tokens, t.is_kept, t.kept_input, t.kept_output, t.load_id,
           least(n.input_tokens, CASE WHEN c.context_token_limit > 0 THEN c.context_token_limit END) AS new_input, n.output_tokens AS new_output
    FROM _estimate_turns t
    JOIN conversations c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    LEFT JOIN _estimate_tokens n ON n.source_id = t.source_id AND n.conversation_id = t.conversation_id AND n.turn = t.turn
)
SELECT source_id, conversation_id, message_id, occurred_at, model,
       TRY_CAST(CASE WHEN is_recorded THEN input_tokens WHEN is_kept THEN kept_input ELSE new_input END AS BIGINT) AS input_tokens,
       TRY_CAST(CASE WHEN is_recorded THEN output_tokens WHEN is_kept THEN kept_output ELSE new_output END AS BIGINT) AS output_tokens,
       CASE WHEN is_recorded THEN 'recorded' ELSE 'counted' END AS method, coalesce(load_id, getvariable('load_id')) AS load_id
FROM counted;

DELETE FROM turn_estimates;

INSERT INTO turn_estimates BY NAME
WITH named AS ( -- of each model the longest name that it has or begins with
    SELECT m.model, p.model AS price_model
    FROM (SELECT DISTINCT model FROM _estimates WHERE model IS NOT NULL) m
    JOIN (SELECT DISTINCT model FROM model_prices) p ON lower(m.model) = lower(p.model) OR starts_with(lower(m.model), lower(p.model) || '-')
    QUALIFY row_number() OVER (PARTITION BY m.model ORDER BY length(p.model) DESC, p.model) = 1
), priced AS (
    SELECT e.source_id, e.conversation_id, e.message_id, p.model AS price_model, p.valid_from AS price_from, p.input_usd, p.output_usd
    FROM _estimates e
    JOIN named n ON n.model = e.model
    JOIN model_prices p ON lower(p.model) = lower(n.price_model) AND (p.valid_from IS NULL OR epoch_ms(p.valid_from) <= epoch_ms(e.occurred_at))
    QUALIFY row_number() OVER (PARTITION BY e.source_id, e.conversation_id, e.message_id ORDER BY p.valid_from DESC NULLS LAST, p.model) = 1
)
SELECT e.*, p.price_model, p.price_from, (CAST(e.input_tokens AS DOUBLE) * p.input_usd + CAST(e.output_tokens AS DOUBLE) * p.output_usd) / 10000 AS cost_cents
FROM _estimates e
LEFT JOIN priced p ON p.source_id = e.source_id AND p.conversation_id = e.conversation_id AND p.message_id = e.message_id
ORDER BY e.source_id, e.conversation_id, e.occurred_at, e.message_id;

DROP TABLE _estimates;
DROP TABLE _estimate_tokens;
DROP TABLE _estimate_turns;
