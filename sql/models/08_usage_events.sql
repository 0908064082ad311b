-- Finds the turn that each event belongs to, and which events count (tables _usage and _usage_same of the model known_usage).
--
-- An event that names a request belongs to the turn of that request, also one that is deleted; else one that names a conversation or a cloud agent to the last turn of it that began at or
-- before the event's time, which is the end of the request [opik], unless that turn is known to be of other requests. Of any other event, one conversation alone must have had a turn with the same
-- model around that time, from its prompt to 60 seconds after its last message; else it belongs to none. Nothing is spread. A turn's models are those of its messages, else the
-- conversation's; Cursor's name default is auto, as in messages. Turns that a fork has from another conversation belong to that one (messages.is_repeat). Of a conversation that
-- several sources have, the primary counts.
--
-- Many messages have no time. A prompt without one began between the last time before it and the first time after it (may_start_ms, start_ms); one that no header names, at any time. An event
-- in between has no prompt. A turn whose last message has no time may have lasted until the next one, or until the conversation was last changed (may_end_ms): an event by time alone
-- belongs to a conversation only if no other may have been at work.
--
-- Of one turn, hooks and streams are counted before events of the API, and these before exports: they say the same. Where no request names the turn, the counts say so: events of a worse origin
-- that have the counts of one of a better origin, or that follow each other and have them together, are a part of it (_usage_parts), and of its turn. They must have been within its turn, or within two
-- minutes of it, and of its model, unless Cursor chose one of them. A hundredth may differ. An event by time alone with other counts than a better origin tells of that turn is a stranger: it belongs
-- to no turn that is known, and counts if it is a part of nothing. Hooks and streams have no price: the first event of a turn that counts, or the one that has the parts, has that of the
-- best origin with one.
-- An event that a file no longer has, because it says something else of that time and model, is not counted; one whose file is gone is. All events are made anew, as later
-- chats may have the turn of an earlier event; an event keeps the load that first read it.
-- A load skips it while usage_records is empty.

CREATE OR REPLACE TEMP TABLE _usage_turns AS
WITH said AS (
    SELECT m.source_id, m.conversation_id, m.turn, m.message_id, m.position, m.request_id, m.model, c.model AS conversation_model, m.is_repeat, m.created_at, epoch_ms(m.created_at) AS at_ms,
           epoch_ms(c.created_at) AS created_ms, epoch_ms(c.updated_at) AS updated_ms, m.role = 'user' AND (NOT m.is_simulated OR c.is_subagent) AS is_prompt, -- what an agent told its subagent is the prompt there
           m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') AS is_real,
           m.is_listed OR NOT bool_or(m.is_listed) OVER (PARTITION BY m.source_id, m.conversation_id) AS in_order
    FROM messages m
    JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
    WHERE m.turn IS NOT NULL AND (m.deleted_at IS NULL OR c.deleted_at IS NOT NULL)
), turns AS (
    SELECT source_id, conversation_id, turn,
           arg_min(message_id, (position, message_id)) FILTER (is_prompt) AS message_id,
           list(DISTINCT request_id) FILTER (request_id IS NOT NULL) AS request_ids,
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
SELECT source_id, conversation_id, turn, message_id, request_ids, models, models || [conversation_model] AS may_models, end_at,
       coalesce(prompt_ms, CASE WHEN in_order THEN coalesce(first_ms, after_ms) END) AS start_ms, CASE WHEN in_order THEN greatest(prompt_ms, last_ms) ELSE prompt_ms END AS end_ms,
       coalesce(prompt_ms, CASE WHEN in_order THEN before_ms END, created_ms, whole_from_ms) AS may_start_ms,
       CASE WHEN NOT in_order THEN whole_until_ms WHEN is_end_real THEN last_ms ELSE greatest(last_ms, prompt_ms, coalesce(after_ms, updated_ms)) END AS may_end_ms
FROM around
WHERE is_own;

-- When a conversation may have been at work with a model, in pieces that do not touch each other.
CREATE OR REPLACE TEMP TABLE _usage_work AS
WITH pieces AS (
    SELECT DISTINCT source_id, conversation_id, unnest(may_models) AS model, may_start_ms AS from_ms, may_end_ms + 60000 AS until_ms
    FROM _usage_turns
    WHERE may_start_ms IS NOT NULL AND may_end_ms IS NOT NULL
), begun AS (
    SELECT *, max(until_ms) OVER (PARTITION BY source_id, conversation_id, model ORDER BY from_ms, until_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ms
    FROM pieces
), numbered AS (
    SELECT *, sum(coalesce(from_ms > before_ms, true)::INTEGER) OVER (PARTITION BY source_id, conversation_id, model ORDER BY from_ms, until_ms ROWS UNBOUNDED PRECEDING) AS piece
    FROM begun
)
SELECT source_id, conversation_id, model, min(from_ms) AS from_ms, max(until_ms) AS until_ms
FROM numbered
GROUP BY source_id, conversation_id, model, piece;

-- When a prompt of a conversation may have begun, of which nobody knows when.
CREATE OR REPLACE TEMP TABLE _usage_doubt AS
WITH pieces AS (
    SELECT source_id, conversation_id, may_start_ms AS from_ms, coalesce(start_ms, 9000000000000000) AS until_ms
    FROM _usage_turns
    WHERE may_start_ms < coalesce(start_ms, 9000000000000000)
), begun AS (
    SELECT *, max(until_ms) OVER (PARTITION BY source_id, conversation_id ORDER BY from_ms, until_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ms
    FROM pieces
), numbered AS (
    SELECT *, sum(coalesce(from_ms > before_ms, true)::INTEGER) OVER (PARTITION BY source_id, conversation_id ORDER BY from_ms, until_ms ROWS UNBOUNDED PRECEDING) AS piece
    FROM begun
)
SELECT source_id, conversation_id, min(from_ms) AS from_ms, max(until_ms) AS until_ms
FROM numbered
GROUP BY source_id, conversation_id, piece;

CREATE OR REPLACE TEMP TABLE _usage_found AS
WITH asked AS (
    SELECT unnest(request_ids) AS request_id, source_id, conversation_id, message_id, start_ms, turn, false AS is_gone
    FROM _usage_turns
    UNION ALL -- the store has the turn no longer
    SELECT m.request_id, m.source_id, m.conversation_id, arg_min(m.message_id, (m.created_at, m.message_id)) FILTER (m.role = 'user' AND (NOT m.is_simulated OR c.is_subagent)), min(epoch_ms(m.created_at)), 0, true
    FROM messages m
    JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    SEMI JOIN _usage u ON u.request_id = m.request_id
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NOT NULL AND NOT m.is_repeat
    GROUP BY m.request_id, m.source_id, m.conversation_id
), by_request AS (
    SELECT u.event_id, 1 AS way, 'id' AS join_method, a.source_id, a.conversation_id, a.message_id
    FROM _usage u
    JOIN asked a ON a.request_id = u.request_id
    QUALIFY row_number() OVER (PARTITION BY u.event_id ORDER BY a.is_gone, a.conversation_id IS DISTINCT FROM u.conversation_id, a.start_ms, a.source_id, a.conversation_id, a.turn) = 1
), places AS (
    SELECT c.conversation_id AS named,
           arg_min({source_id: coalesce(k.primary_source_id, c.source_id), conversation_id: coalesce(k.primary_conversation_id, c.conversation_id)}, (c.deleted_at IS NOT NULL, c.source_id)) AS place
    FROM conversations c
    SEMI JOIN _usage u ON u.named = c.conversation_id
    LEFT JOIN conversation_copies k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
    GROUP BY c.conversation_id
), located AS (
    SELECT u.event_id, u.at_ms, u.turn_model, u.request_id, 2 AS way, 'id' AS join_method, p.place.source_id AS source_id, coalesce(p.place.conversation_id, u.conversation_id) AS conversation_id
    FROM _usage u
    LEFT JOIN places p ON p.named = u.named
    WHERE coalesce(p.place.conversation_id, u.conversation_id) IS NOT NULL
    UNION ALL
    SELECT u.event_id, any_value(u.at_ms), any_value(u.turn_model), any_value(u.request_id), 3, 'time', min(w.source_id), min(w.conversation_id)
    FROM _usage u
    JOIN (SELECT *, unnest(range(from_ms // 86400000, until_ms // 86400000 + 1)) AS day FROM _usage_work) w -- by the day: else every piece of a model would be compared with every event of it
        ON w.model = u.turn_model AND w.day = u.at_ms // 86400000 AND u.at_ms >= w.from_ms AND u.at_ms <= w.until_ms
    WHERE u.named IS NULL AND u.origin IN ('api', 'csv') AND u.may_join
    GROUP BY u.event_id
    HAVING count(DISTINCT {s: w.source_id, c: w.conversation_id}) = 1
), line AS ( -- what begins in a conversation, and its events, in their order
    SELECT source_id, conversation_id, start_ms AS ms, 0 AS after, turn, NULL::BIGINT AS doubt_ms, NULL::VARCHAR AS event_id
    FROM _usage_turns
    WHERE start_ms IS NOT NULL
    UNION ALL
    SELECT source_id, conversation_id, from_ms, 0, NULL, until_ms, NULL FROM _usage_doubt
    UNION ALL
    SELECT source_id, conversation_id, at_ms, 1, NULL, NULL, event_id FROM located WHERE at_ms IS NOT NULL
), begun AS (
    SELECT event_id, last_value(turn IGNORE NULLS) OVER before AS turn, last_value(doubt_ms IGNORE NULLS) OVER before AS doubt_ms
    FROM line
    WINDOW before AS (PARTITION BY source_id, conversation_id ORDER BY ms, after, turn ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
    QUALIFY event_id IS NOT NULL
), by_conversation AS (
    SELECT l.event_id, l.way, l.join_method, l.source_id, l.conversation_id,
           CASE WHEN coalesce(l.at_ms < b.doubt_ms, false) OR l.request_id IS NOT NULL AND NOT coalesce(list_contains(t.request_ids, l.request_id), true) THEN NULL ELSE t.message_id END AS message_id
    FROM located l
    LEFT JOIN begun b ON b.event_id = l.event_id
    LEFT JOIN _usage_turns t ON t.source_id = l.source_id AND t.conversation_id = l.conversation_id AND t.turn = b.turn
    WHERE l.way = 2 OR l.at_ms <= t.end_ms + 60000 AND list_contains(t.models, l.turn_model)
)
SELECT *
FROM (FROM by_request UNION ALL BY NAME FROM by_conversation)
QUALIFY row_number() OVER (PARTITION BY event_id ORDER BY way) = 1;

CREATE OR REPLACE TEMP TABLE _usage_joined AS
SELECT u.* EXCLUDE (conversation_id), f.source_id, coalesce(f.conversation_id, u.conversation_id) AS conversation_id, f.message_id, coalesce(f.join_method, 'none') AS join_method,
       coalesce(u.occurred_at, t.end_at) AS known_at, f.way IS DISTINCT FROM 1 AS is_loose,
       coalesce(u.fresh_input_tokens > 0 OR u.cache_write_tokens > 0 OR u.cache_read_tokens > 0 OR u.output_tokens > 0, false) AS has_tokens,
       CASE WHEN f.message_id IS NULL THEN u.event_id ELSE concat_ws(chr(31), f.source_id, f.conversation_id, f.message_id) END AS owner,
       least(epoch_ms(coalesce(u.occurred_at, t.end_at)) - 120000, t.may_start_ms) AS from_ms, greatest(epoch_ms(coalesce(u.occurred_at, t.end_at)) + 120000, t.end_ms + 60000) AS until_ms
FROM _usage u
LEFT JOIN _usage_found f ON f.event_id = u.event_id
LEFT JOIN _usage_turns t ON t.source_id = f.source_id AND t.conversation_id = f.conversation_id AND t.message_id = f.message_id;

CREATE OR REPLACE TEMP TABLE _usage_parts AS
WITH counts AS (
    SELECT event_id, owner, rank, source_id, conversation_id, message_id, join_method, is_loose, origin, turn_model, at_ms, from_ms, until_ms, epoch_ms(known_at) AS known_ms,
           cache_write_tokens IS NOT NULL AND cache_read_tokens IS NOT NULL AS has_split, fresh_input_tokens IS NOT NULL AS has_input, output_tokens IS NOT NULL AS has_output,
           coalesce(fresh_input_tokens, 0)::HUGEINT + coalesce(cache_write_tokens, 0) + coalesce(cache_read_tokens, 0) AS input, coalesce(fresh_input_tokens, 0)::HUGEINT AS fresh, coalesce(cache_read_tokens, 0)::HUGEINT AS read, coalesce(output_tokens, 0)::HUGEINT AS output
    FROM _usage_joined
    WHERE is_counted AND has_tokens AND NOT is_others
), told AS (
    SELECT event_id AS told_id, * EXCLUDE (event_id) FROM counts WHERE rank < 4
    UNION ALL BY NAME
    SELECT 'all of ' || owner || rank AS told_id, owner, rank, any_value(source_id) AS source_id, any_value(conversation_id) AS conversation_id, any_value(message_id) AS message_id, any_value(turn_model) AS turn_model,
           min(from_ms) AS from_ms, max(until_ms) AS until_ms, max(known_ms) AS known_ms, bool_and(has_split) AS has_split, bool_and(has_input) AS has_input, bool_and(has_output) AS has_output,
           sum(input) AS input, sum(read) AS read, sum(output) AS output
    FROM counts
    WHERE rank < 4 AND message_id IS NOT NULL
    GROUP BY owner, rank
    HAVING count(*) > 1
), near AS (
    SELECT t.told_id, t.owner, t.rank AS told_rank, t.known_ms, t.has_split, t.input AS want_input, t.read AS want_read, t.output AS want_output, j.event_id, j.origin, j.at_ms, j.input, j.fresh, j.read, j.output,
           j.owner = t.owner AS is_own, j.is_loose, j.join_method, j.conversation_id, t.conversation_id AS told_conversation_id, 
           j.has_input <> t.has_input OR j.has_output <> t.has_output AS is_other_kind, j.turn_model, t.turn_model AS told_model
    FROM counts j
    JOIN (SELECT *, unnest(range(from_ms // 3600000, until_ms // 3600000 + 1)) AS hour FROM told) t ON t.hour = j.at_ms // 3600000 AND j.at_ms >= t.from_ms AND j.at_ms <= t.until_ms
    WHERE t.rank < j.rank AND CASE WHEN t.has_split THEN j.input ELSE j.fresh END * 100 <= t.input * 101 AND j.output * 100 <= t.output * 101
    UNION ALL -- a hook of which no time is known: it may be any event that has just its counts
    SELECT t.told_id, t.owner, t.rank, t.known_ms, t.has_split, t.input, t.read, t.output, j.event_id, j.origin, j.at_ms, j.input, j.fresh, j.read, j.output, j.owner = t.owner, j.is_loose, j.join_method,
           j.conversation_id, t.conversation_id, j.has_input <> t.has_input OR j.has_output <> t.has_output, j.turn_model, t.turn_model
    FROM counts j
    JOIN told t ON t.input = j.input AND t.read = j.read AND t.output = j.output
    WHERE t.from_ms IS NULL AND t.rank < j.rank
), loose AS (
    SELECT * EXCLUDE (is_loose, join_method, conversation_id, told_conversation_id, is_other_kind, turn_model, told_model)
    FROM near
    WHERE (is_loose OR is_own) AND (join_method = 'time' OR coalesce(told_conversation_id = conversation_id, true))
      AND NOT is_other_kind AND coalesce(turn_model = told_model OR 'auto' IN (turn_model, told_model), true)
), numbered AS (
    SELECT *, row_number() OVER series AS n, sum(input) OVER series AS sum_input, sum(fresh) OVER series AS sum_fresh, sum(read) OVER series AS sum_read, sum(output) OVER series AS sum_output, sum(is_own::INTEGER) OVER series AS sum_own
    FROM loose
    WINDOW series AS (PARTITION BY told_id, origin ORDER BY at_ms, event_id)
), runs AS ( -- rows of one origin that follow each other, and how far they are from what is told
    SELECT f.told_id, f.origin, f.owner, f.told_rank AS rank, f.event_id, f.n AS first, l.n AS last, greatest(abs(f.at_ms - f.known_ms), abs(l.at_ms - l.known_ms)) AS away,
           CASE WHEN f.has_split THEN abs(l.sum_input - f.sum_input + f.input - f.want_input) -- else nobody knows whether the figure has the cache in it
                ELSE least(abs(l.sum_input - f.sum_input + f.input - f.want_input), abs(l.sum_fresh - f.sum_fresh + f.fresh - f.want_input)) END AS off_input,
           abs(l.sum_read - f.sum_read + f.read - f.want_read) AS off_read, abs(l.sum_output - f.sum_output + f.output - f.want_output) AS off_output,
           l.sum_own - f.sum_own + f.is_own::INTEGER = l.n - f.n + 1 AS are_own, f.want_input, f.want_read, f.want_output, f.has_split
    FROM numbered f
    JOIN numbered l ON l.told_id = f.told_id AND l.origin = f.origin AND l.n BETWEEN f.n AND f.n + 50
), equal AS (
    SELECT *
    FROM runs
    WHERE off_input * 100 <= want_input AND off_output * 100 <= want_output AND (off_read * 100 <= want_read OR NOT has_split)
    QUALIFY row_number() OVER (PARTITION BY told_id, origin ORDER BY off_input + off_output, are_own DESC, last - first, away, event_id) = 1
)
SELECT n.event_id, e.owner, e.told_id, t.source_id, t.conversation_id, t.message_id
FROM equal e
JOIN numbered n ON n.told_id = e.told_id AND n.origin = e.origin AND n.n BETWEEN e.first AND e.last
JOIN told t ON t.told_id = e.told_id
QUALIFY row_number() OVER (PARTITION BY n.event_id ORDER BY e.rank, e.off_input + e.off_output, e.away, e.told_id) = 1;

CREATE OR REPLACE TEMP TABLE _usage_loads AS
SELECT coalesce(s.first_id, e.event_id) AS event_id, min(e.load_id) AS load_id
FROM usage_events e
LEFT JOIN _usage_same s ON s.event_id = e.event_id
GROUP BY 1;
DELETE FROM usage_events;

INSERT INTO usage_events BY NAME
WITH alone AS (
    SELECT j.event_id, j.owner, j.source_id, j.conversation_id, j.message_id, j.at_ms, j.rank
    FROM _usage_joined j
    LEFT JOIN _usage_parts p ON p.event_id = j.event_id
    WHERE j.join_method = 'time' AND j.is_counted AND j.has_tokens AND p.owner IS DISTINCT FROM j.owner
), strangers AS (
    SELECT j.event_id
    FROM alone j
    JOIN _usage_joined o ON o.owner = j.owner AND o.rank < j.rank
    WHERE o.is_counted AND o.has_tokens
    UNION
    SELECT j.event_id
    FROM alone j
    JOIN _usage_joined o ON o.source_id = j.source_id AND o.conversation_id = j.conversation_id AND j.at_ms >= o.from_ms AND j.at_ms <= o.until_ms
    WHERE j.message_id IS NULL AND o.rank < j.rank AND o.is_counted AND o.has_tokens
), placed AS (
    SELECT j.* EXCLUDE (source_id, conversation_id, message_id, join_method, owner), p.event_id IS NOT NULL AS is_part,
           CASE WHEN p.message_id IS NOT NULL AND j.may_join THEN p.source_id WHEN s.event_id IS NULL THEN j.source_id END AS source_id,
           CASE WHEN p.message_id IS NOT NULL AND j.may_join THEN p.conversation_id WHEN s.event_id IS NULL THEN j.conversation_id END AS conversation_id,
           CASE WHEN p.message_id IS NOT NULL AND j.may_join THEN p.message_id WHEN s.event_id IS NULL THEN j.message_id END AS message_id,
           CASE WHEN p.message_id IS NOT NULL AND j.may_join AND j.join_method = 'none' THEN 'time' WHEN p.message_id IS NOT NULL AND j.may_join OR s.event_id IS NULL THEN j.join_method ELSE 'none' END AS join_method,
           coalesce(p.owner, CASE WHEN s.event_id IS NULL THEN j.owner ELSE j.event_id END) AS owner
    FROM _usage_joined j
    LEFT JOIN strangers s ON s.event_id = j.event_id
    LEFT JOIN _usage_parts p ON p.event_id = j.event_id
), ranked AS (
    SELECT *, is_counted AND NOT is_part AND NOT is_repeated AS may_count, min(CASE WHEN is_counted AND NOT is_part AND NOT is_repeated THEN rank END) OVER (PARTITION BY owner) AS best
    FROM placed
), kinds AS ( -- what the turn's other events say, the best origin first
    SELECT owner, arg_min({kind: kind, kind_raw: kind_raw}, (rank, list_position(['on_demand', 'included', 'free'], kind))) FILTER (kind IN ('on_demand', 'included', 'free')) AS paid,
           arg_min(max_mode, (rank, NOT max_mode)) FILTER (max_mode IS NOT NULL) AS max_mode, arg_min(person, (rank, person)) FILTER (person IS NOT NULL) AS person
    FROM ranked
    WHERE may_count OR is_part
    GROUP BY owner
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
SELECT c.event_id, c.source_id, c.conversation_id, c.message_id, c.request_id, c.known_at AS occurred_at, c.model,
       CASE WHEN c.counts AND c.kind = 'unknown' THEN coalesce(k.paid.kind, c.kind) ELSE c.kind END AS kind, CASE WHEN c.counts AND c.kind = 'unknown' THEN coalesce(k.paid.kind_raw, c.kind_raw) ELSE c.kind_raw END AS kind_raw,
       CASE WHEN c.counts THEN coalesce(c.person, k.person) ELSE c.person END AS person, c.fresh_input_tokens, c.cache_write_tokens, c.cache_read_tokens, c.output_tokens, c.total_tokens,
       CASE WHEN c.counts AND c.is_first AND c.rank < p.rank THEN coalesce(c.cost_cents, p.cost_cents) ELSE c.cost_cents END AS cost_cents,
       CASE WHEN c.counts AND c.is_first AND c.rank < p.rank THEN coalesce(c.charged_cents, p.charged_cents) ELSE c.charged_cents END AS charged_cents,
       c.is_headless, CASE WHEN c.counts THEN coalesce(c.max_mode, k.max_mode) ELSE c.max_mode END AS max_mode, c.counts AS is_counted, c.origin, c.join_method, c.file, coalesce(l.load_id, getvariable('load_id')) AS load_id
FROM counted c
LEFT JOIN prices p ON p.owner = c.owner
LEFT JOIN kinds k ON k.owner = c.owner
LEFT JOIN _usage_loads l ON l.event_id = c.event_id
ORDER BY c.known_at, c.event_id;

DROP TABLE _usage_loads;
DROP TABLE _usage_parts;
DROP TABLE _usage_joined;
DROP TABLE _usage_found;
DROP TABLE _usage_doubt;
DROP TABLE _usage_work;
DROP TABLE _usage_turns;
DROP TABLE _usage_same;
DROP TABLE _usage;
