-- Makes one event of all that files say of it, and finds the turn that it belongs to.
--
-- An event that names a request belongs to the turn of that request, else one that names a conversation or a cloud agent to the last turn of it that began at or
-- before the event's time, which is the end of the request [opik]. Of any other event, one conversation alone must have had a turn with the same model
-- around that time, from its prompt to 60 seconds after its last message; else it belongs to none. Nothing is spread. A turn's models are those of its messages, else the
-- conversation's; Cursor's name default is auto, as in messages. Turns that a fork has from another conversation belong to that one (messages.is_repeat). Of a conversation that
-- several sources have, the primary counts.
--
-- Many messages have no time. A prompt without one began between the last time before it and the first time after it (may_start_ms, start_ms); one that no header names, at any time. An event
-- in between has no prompt. A turn whose last message has no time may have lasted until the next one, or until the conversation was last changed (may_end_ms): an event by time alone
-- belongs to a conversation only if no other may have been at work.
--
-- Of one turn, hooks and streams are counted before events of the API, and these before exports: they say the same. Where the turn is known by time alone, or not at all, the counts
-- say so: events of a worse origin that have the same counts as one of a better origin, or that follow each other and have them together, are a part of it (_usage_parts). They must have been
-- within its turn, or within two minutes of it. An event by time alone with other counts than a better origin tells of that turn is a stranger: it belongs
-- to no turn that is known, and counts if it is a part of nothing. Hooks and streams have no price: the first event of a turn that counts, or the one that has the parts, has that of the
-- best origin with one.
-- An event that a file no longer has, because it says something else of that time and model, is not counted; one whose file is gone is. All events are made anew, as later
-- chats may have the turn of an earlier event; an event keeps the load that first read it.
-- A load skips it while usage_records is empty.

CREATE OR REPLACE TEMP TABLE _usage AS
WITH replaced AS (
    SELECT o.source_id, o.file, o.event_id
    FROM usage_records o
    SEMI JOIN (FROM usage_records WHERE deleted_at IS NULL) n ON n.source_id = o.source_id AND n.file = o.file AND n.occurred_at = o.occurred_at AND n.model IS NOT DISTINCT FROM o.model
    WHERE o.deleted_at IS NOT NULL
), merged AS (
    SELECT u.* EXCLUDE (cost_cents, charged_cents, kind, is_counted),
           coalesce(u.cost_cents, max(u.cost_cents) OVER same) AS cost_cents, coalesce(u.charged_cents, max(u.charged_cents) OVER same) AS charged_cents,
           coalesce(u.kind, max(u.kind) OVER same) AS kind, u.is_counted AND bool_or(r.event_id IS NULL) OVER same AS is_counted
    FROM usage_records u
    LEFT JOIN replaced r ON r.source_id = u.source_id AND r.file = u.file AND r.event_id = u.event_id
    WINDOW same AS (PARTITION BY u.event_id)
    QUALIFY row_number() OVER (PARTITION BY u.event_id ORDER BY u.conversation_id IS NULL, u.deleted_at IS NOT NULL, u.kind IS NULL, u.file DESC, u.source_id) = 1
)
SELECT *, epoch_ms(occurred_at) AS at_ms, coalesce(conversation_id, cloud_agent_id) AS named, coalesce(list_position(['hook', 'stream', 'api', 'csv'], origin), 5) AS rank,
       CASE WHEN lower(model) IN ('', 'default') THEN 'auto' ELSE model END AS turn_model
FROM merged;

CREATE OR REPLACE TEMP TABLE _usage_turns AS
WITH said AS (
    SELECT m.source_id, m.conversation_id, m.turn, m.message_id, m.position, m.request_id, m.model, c.model AS conversation_model, m.is_repeat, m.created_at, epoch_ms(m.created_at) AS at_ms,
           epoch_ms(c.created_at) AS created_ms, epoch_ms(c.updated_at) AS updated_ms, m.role = 'user' AND m.is_simulated IS NOT TRUE AS is_prompt,
           m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') AS is_real,
           m.is_listed OR NOT bool_or(m.is_listed) OVER (PARTITION BY m.source_id, m.conversation_id) AS in_order
    FROM messages m
    JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
    WHERE m.turn IS NOT NULL AND (m.deleted_at IS NULL OR c.deleted_at IS NOT NULL)
), turns AS (
    SELECT source_id, conversation_id, turn,
           arg_min(message_id, (position, message_id)) FILTER (is_prompt) AS message_id,
           coalesce(min(request_id) FILTER (is_prompt), min(request_id)) AS request_id,
           min(at_ms) FILTER (is_prompt AND is_real) AS prompt_ms, min(at_ms) FILTER (is_real AND in_order) AS first_ms, max(at_ms) FILTER (is_real AND in_order) AS last_ms,
           max(created_at) FILTER (is_real) AS end_at, coalesce(arg_max(is_real, position) FILTER (in_order), false) AS is_end_real, coalesce(bool_and(in_order) FILTER (is_prompt), true) AS in_order,
           coalesce(list(DISTINCT model) FILTER (model IS NOT NULL), [any_value(conversation_model)]) AS models, any_value(conversation_model) AS conversation_model,
           any_value(created_ms) AS created_ms, any_value(updated_ms) AS updated_ms, count(*) FILTER (is_prompt AND NOT is_repeat) > 0 AS is_own
    FROM said
    GROUP BY source_id, conversation_id, turn
), around AS (
    SELECT *, max(last_ms) OVER (PARTITION BY source_id, conversation_id ORDER BY turn ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ms,
           min(first_ms) OVER (PARTITION BY source_id, conversation_id ORDER BY turn ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS after_ms,
           min(first_ms) OVER whole AS whole_from_ms, max(last_ms) OVER whole AS whole_until_ms
    FROM turns
    WINDOW whole AS (PARTITION BY source_id, conversation_id)
)
SELECT source_id, conversation_id, turn, message_id, request_id, models, models || [conversation_model] AS may_models, end_at,
       coalesce(prompt_ms, CASE WHEN in_order THEN coalesce(first_ms, after_ms) END) AS start_ms, CASE WHEN in_order THEN greatest(prompt_ms, last_ms) ELSE prompt_ms END AS end_ms,
       coalesce(prompt_ms, CASE WHEN in_order THEN before_ms END, created_ms, whole_from_ms) AS may_start_ms,
       CASE WHEN NOT in_order THEN whole_until_ms WHEN is_end_real THEN last_ms ELSE greatest(last_ms, prompt_ms, coalesce(after_ms, updated_ms)) END AS may_end_ms
FROM around
WHERE is_own;

CREATE OR REPLACE TEMP TABLE _usage_found AS
WITH by_request AS (
    SELECT u.event_id, 1 AS way, 'id' AS join_method, t.source_id, t.conversation_id, t.message_id
    FROM _usage u
    JOIN _usage_turns t ON t.request_id = u.request_id
    QUALIFY row_number() OVER (PARTITION BY u.event_id ORDER BY t.conversation_id IS DISTINCT FROM u.conversation_id, t.start_ms, t.source_id, t.conversation_id, t.turn) = 1
), places AS (
    SELECT c.conversation_id AS named,
           arg_min({source_id: coalesce(k.primary_source_id, c.source_id), conversation_id: coalesce(k.primary_conversation_id, c.conversation_id)}, (c.deleted_at IS NOT NULL, c.source_id)) AS place
    FROM conversations c
    SEMI JOIN _usage u ON u.named = c.conversation_id
    LEFT JOIN conversation_copies k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
    GROUP BY c.conversation_id
), located AS (
    SELECT u.event_id, u.at_ms, u.turn_model, 2 AS way, 'id' AS join_method, p.place.source_id AS source_id, coalesce(p.place.conversation_id, u.conversation_id) AS conversation_id
    FROM _usage u
    LEFT JOIN places p ON p.named = u.named
    WHERE coalesce(p.place.conversation_id, u.conversation_id) IS NOT NULL
    UNION ALL
    SELECT u.event_id, any_value(u.at_ms), any_value(u.turn_model), 3, 'time', min(t.source_id), min(t.conversation_id)
    FROM _usage u
    JOIN _usage_turns t ON u.at_ms >= t.may_start_ms AND u.at_ms <= t.may_end_ms + 60000 AND list_contains(t.may_models, u.turn_model)
    WHERE u.named IS NULL AND u.origin IN ('api', 'csv')
    GROUP BY u.event_id
    HAVING count(DISTINCT {s: t.source_id, c: t.conversation_id}) = 1 AND bool_or(u.at_ms >= t.start_ms AND u.at_ms <= t.end_ms + 60000 AND list_contains(t.models, u.turn_model))
), by_conversation AS (
    SELECT l.event_id, l.way, l.join_method, l.source_id, l.conversation_id,
           CASE WHEN bool_or(t.may_start_ms <= l.at_ms AND coalesce(l.at_ms < t.start_ms, true)) IS NOT TRUE
                THEN arg_max(t.message_id, (t.start_ms, t.turn)) FILTER (t.start_ms <= l.at_ms AND (l.way = 2 OR l.at_ms <= t.end_ms + 60000 AND list_contains(t.models, l.turn_model))) END AS message_id
    FROM located l
    LEFT JOIN _usage_turns t ON t.source_id = l.source_id AND t.conversation_id = l.conversation_id
    GROUP BY ALL
)
SELECT * EXCLUDE (way)
FROM (FROM by_request UNION ALL BY NAME FROM by_conversation)
QUALIFY row_number() OVER (PARTITION BY event_id ORDER BY way) = 1;

CREATE OR REPLACE TEMP TABLE _usage_joined AS
SELECT u.* EXCLUDE (source_id, conversation_id), f.source_id, coalesce(f.conversation_id, u.conversation_id) AS conversation_id, f.message_id, coalesce(f.join_method, 'none') AS join_method,
       coalesce(u.occurred_at, t.end_at) AS known_at, f.message_id IS NULL OR f.join_method = 'time' AS is_loose,
       coalesce(u.fresh_input_tokens > 0 OR u.cache_write_tokens > 0 OR u.cache_read_tokens > 0 OR u.output_tokens > 0, false) AS has_tokens,
       CASE WHEN f.message_id IS NULL THEN u.event_id ELSE concat_ws(chr(31), f.source_id, f.conversation_id, f.message_id) END AS owner,
       least(epoch_ms(coalesce(u.occurred_at, t.end_at)) - 120000, t.may_start_ms) AS from_ms, greatest(epoch_ms(coalesce(u.occurred_at, t.end_at)) + 120000, t.end_ms + 60000) AS until_ms
FROM _usage u
LEFT JOIN _usage_found f ON f.event_id = u.event_id
LEFT JOIN _usage_turns t ON t.source_id = f.source_id AND t.conversation_id = f.conversation_id AND t.message_id = f.message_id;

CREATE OR REPLACE TEMP TABLE _usage_parts AS
WITH told AS (
    SELECT owner, rank, conversation_id, from_ms, until_ms, epoch_ms(known_at) AS known_ms, fresh_input_tokens::HUGEINT AS fresh, cache_write_tokens::HUGEINT AS write,
           cache_read_tokens::HUGEINT AS read, output_tokens::HUGEINT AS output, event_id AS told_id
    FROM _usage_joined
    WHERE is_counted AND has_tokens
    UNION ALL
    SELECT owner, rank, any_value(conversation_id), min(from_ms), max(until_ms), max(epoch_ms(known_at)), sum(fresh_input_tokens), sum(cache_write_tokens), sum(cache_read_tokens), sum(output_tokens), 'all of ' || owner || rank
    FROM _usage_joined
    WHERE is_counted AND message_id IS NOT NULL
    GROUP BY owner, rank
    HAVING count(*) > 1
), loose AS (
    SELECT t.told_id, t.owner, t.rank AS told_rank, t.known_ms, t.fresh AS want_fresh, t.write AS want_write, t.read AS want_read, t.output AS want_output, j.event_id, j.origin, j.at_ms, j.owner = t.owner AS is_own,
           coalesce(j.fresh_input_tokens, 0)::HUGEINT AS fresh, coalesce(j.cache_write_tokens, 0)::HUGEINT AS write, coalesce(j.cache_read_tokens, 0)::HUGEINT AS read, coalesce(j.output_tokens, 0)::HUGEINT AS output
    FROM _usage_joined j
    JOIN told t ON t.rank < j.rank AND coalesce(j.at_ms >= t.from_ms AND j.at_ms <= t.until_ms, true)
    WHERE j.is_counted AND (j.is_loose OR j.owner = t.owner) AND j.has_tokens AND (j.join_method = 'time' OR coalesce(t.conversation_id = j.conversation_id, true))
), numbered AS (
    SELECT *, row_number() OVER series AS n, sum(fresh) OVER series AS sum_fresh, sum(write) OVER series AS sum_write, sum(read) OVER series AS sum_read, sum(output) OVER series AS sum_output,
           sum(is_own::INTEGER) OVER series AS sum_own
    FROM loose
    WHERE coalesce(fresh <= want_fresh, true) AND coalesce(write <= want_write, true) AND coalesce(read <= want_read, true) AND coalesce(output <= want_output, true)
    WINDOW series AS (PARTITION BY told_id, origin ORDER BY at_ms, event_id)
), equal AS (
    SELECT f.told_id, f.origin, f.owner, f.told_rank AS rank, f.n AS first, l.n AS last, greatest(abs(f.at_ms - f.known_ms), abs(l.at_ms - l.known_ms)) AS away
    FROM numbered f
    JOIN numbered l ON l.told_id = f.told_id AND l.origin = f.origin AND l.n BETWEEN f.n AND f.n + 50
    WHERE coalesce(l.sum_fresh - f.sum_fresh + f.fresh = f.want_fresh, true) AND coalesce(l.sum_write - f.sum_write + f.write = f.want_write, true)
      AND coalesce(l.sum_read - f.sum_read + f.read = f.want_read, true) AND coalesce(l.sum_output - f.sum_output + f.output = f.want_output, true)
    QUALIFY row_number() OVER (PARTITION BY f.told_id, f.origin ORDER BY l.sum_own - f.sum_own + f.is_own::INTEGER = last - first + 1 DESC, last - first, away, f.event_id) = 1
)
SELECT n.event_id, e.owner, e.rank, e.away, e.told_id
FROM equal e
JOIN numbered n ON n.told_id = e.told_id AND n.origin = e.origin AND n.n BETWEEN e.first AND e.last
QUALIFY row_number() OVER (PARTITION BY n.event_id ORDER BY e.rank, e.away, e.told_id) = 1;

CREATE OR REPLACE TEMP TABLE _usage_loads AS SELECT event_id, load_id FROM usage_events;
DELETE FROM usage_events;

INSERT INTO usage_events BY NAME
WITH strangers AS (
    SELECT DISTINCT j.event_id
    FROM _usage_joined j
    JOIN _usage_joined o ON o.source_id = j.source_id AND o.conversation_id = j.conversation_id AND o.rank < j.rank AND o.is_counted AND o.has_tokens
      AND (o.owner = j.owner OR j.message_id IS NULL AND j.at_ms BETWEEN o.from_ms AND o.until_ms)
    LEFT JOIN _usage_parts p ON p.event_id = j.event_id
    WHERE j.join_method = 'time' AND j.is_counted AND j.has_tokens AND p.owner IS DISTINCT FROM j.owner
), placed AS (
    SELECT j.* EXCLUDE (source_id, conversation_id, message_id, join_method, owner), CASE WHEN s.event_id IS NULL THEN j.source_id END AS source_id,
           CASE WHEN s.event_id IS NULL THEN j.conversation_id END AS conversation_id, CASE WHEN s.event_id IS NULL THEN j.message_id END AS message_id,
           CASE WHEN s.event_id IS NULL THEN j.join_method ELSE 'none' END AS join_method, coalesce(p.owner, CASE WHEN s.event_id IS NULL THEN j.owner ELSE j.event_id END) AS owner, p.event_id IS NOT NULL AS is_part
    FROM _usage_joined j
    LEFT JOIN strangers s ON s.event_id = j.event_id
    LEFT JOIN _usage_parts p ON p.event_id = j.event_id
), repeated AS (
    SELECT DISTINCT j.event_id
    FROM _usage_joined j
    JOIN _usage_joined o ON o.origin = 'api' AND o.occurred_at = j.occurred_at AND o.model IS NOT DISTINCT FROM j.model AND o.fresh_input_tokens IS NOT DISTINCT FROM j.fresh_input_tokens
      AND o.cache_write_tokens IS NOT DISTINCT FROM j.cache_write_tokens AND o.cache_read_tokens IS NOT DISTINCT FROM j.cache_read_tokens AND o.output_tokens IS NOT DISTINCT FROM j.output_tokens
    WHERE j.origin = 'csv'
), ranked AS (
    SELECT p.*, p.is_counted AND NOT p.is_part AND r.event_id IS NULL AS may_count, min(CASE WHEN p.is_counted AND NOT p.is_part AND r.event_id IS NULL THEN p.rank END) OVER (PARTITION BY p.owner) AS best
    FROM placed p
    LEFT JOIN repeated r ON r.event_id = p.event_id
), prices AS (
    SELECT owner, rank, sum(cost_cents) AS cost_cents, sum(charged_cents) AS charged_cents
    FROM ranked
    WHERE (may_count OR is_part) AND (cost_cents IS NOT NULL OR charged_cents IS NOT NULL)
    GROUP BY owner, rank
    QUALIFY row_number() OVER (PARTITION BY owner ORDER BY rank) = 1
), counted AS (
    SELECT *, may_count AND rank = best AS counts, row_number() OVER (PARTITION BY owner, may_count AND rank = best ORDER BY known_at, event_id) = 1 AS is_first
    FROM ranked
)
SELECT c.event_id, c.source_id, c.conversation_id, c.message_id, c.request_id, c.known_at AS occurred_at, c.model, c.kind, c.fresh_input_tokens, c.cache_write_tokens, c.cache_read_tokens, c.output_tokens,
       CASE WHEN c.counts AND c.is_first AND c.rank < p.rank THEN coalesce(c.cost_cents, p.cost_cents) ELSE c.cost_cents END AS cost_cents,
       CASE WHEN c.counts AND c.is_first AND c.rank < p.rank THEN coalesce(c.charged_cents, p.charged_cents) ELSE c.charged_cents END AS charged_cents,
       c.is_headless, c.max_mode, c.counts AS is_counted, c.origin, c.join_method, c.file, coalesce(l.load_id, getvariable('load_id')) AS load_id
FROM counted c
LEFT JOIN prices p ON p.owner = c.owner
LEFT JOIN _usage_loads l ON l.event_id = c.event_id
ORDER BY c.known_at, c.event_id;

DROP TABLE _usage_loads;
DROP TABLE _usage_parts;
DROP TABLE _usage_joined;
DROP TABLE _usage_found;
DROP TABLE _usage_turns;
DROP TABLE _usage;
