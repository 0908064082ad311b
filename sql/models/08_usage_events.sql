-- Makes one event of all that files say of it, and finds the turn that it belongs to.
--
-- An event that names a request belongs to the turn of that request, else one that names a conversation or a cloud agent to the last turn of it that began at or
-- before the event's time, which is the end of the request [opik]. Of any other event, one conversation alone must have had a turn with the same model
-- around that time, from its prompt to 60 seconds after its last message; else it belongs to none. Nothing is spread. A turn's models are those of its messages, else the
-- conversation's; Cursor's name default is auto, as in messages. Turns that a fork has from another conversation belong to that one (messages.is_repeat). Of a conversation that
-- several sources have, the primary counts.
--
-- Of one turn, hooks and streams are counted before events of the API, and these before exports: they say the same. Where the turn is not known, an event with the same counts
-- from a better origin, within two minutes, is the same one. Hooks and streams have no price: the first event of a turn that counts has that of the best origin with one.
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
           m.role = 'user' AND m.is_simulated IS NOT TRUE AS is_prompt, m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') AS is_real
    FROM messages m
    JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
    WHERE m.turn IS NOT NULL AND (m.deleted_at IS NULL OR c.deleted_at IS NOT NULL)
)
SELECT source_id, conversation_id, turn,
       arg_min(message_id, (position, message_id)) FILTER (is_prompt) AS message_id,
       coalesce(min(request_id) FILTER (is_prompt), min(request_id)) AS request_id,
       min(at_ms) FILTER (is_prompt AND is_real) AS start_ms, max(at_ms) FILTER (is_real) AS end_ms, max(created_at) FILTER (is_real) AS end_at,
       coalesce(list(DISTINCT model) FILTER (model IS NOT NULL), [any_value(conversation_model)]) AS models
FROM said
GROUP BY source_id, conversation_id, turn
HAVING count(*) FILTER (is_prompt AND NOT is_repeat) > 0;

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
    SELECT u.event_id, u.at_ms, p.place.source_id AS source_id, coalesce(p.place.conversation_id, u.conversation_id) AS conversation_id
    FROM _usage u
    LEFT JOIN places p ON p.named = u.named
    WHERE u.named IS NOT NULL
), by_conversation AS (
    SELECT l.event_id, 2 AS way, 'id' AS join_method, l.source_id, l.conversation_id, t.message_id
    FROM located l
    ASOF LEFT JOIN (FROM _usage_turns WHERE start_ms IS NOT NULL) t ON t.source_id = l.source_id AND t.conversation_id = l.conversation_id AND t.start_ms <= l.at_ms
    WHERE l.conversation_id IS NOT NULL
), by_time AS (
    SELECT u.event_id, 3 AS way, 'time' AS join_method, min(t.source_id) AS source_id, min(t.conversation_id) AS conversation_id, arg_max(t.message_id, (t.start_ms, t.message_id)) AS message_id
    FROM _usage u
    JOIN _usage_turns t ON u.at_ms >= t.start_ms AND u.at_ms <= t.end_ms + 60000 AND list_contains(t.models, u.turn_model)
    WHERE u.named IS NULL AND u.origin IN ('api', 'csv')
    GROUP BY u.event_id
    HAVING count(DISTINCT {s: t.source_id, c: t.conversation_id}) = 1
)
SELECT * EXCLUDE (way)
FROM (FROM by_request UNION ALL BY NAME FROM by_conversation UNION ALL BY NAME FROM by_time)
QUALIFY row_number() OVER (PARTITION BY event_id ORDER BY way) = 1;

CREATE OR REPLACE TEMP TABLE _usage_loads AS SELECT event_id, load_id FROM usage_events;
DELETE FROM usage_events;

INSERT INTO usage_events BY NAME
WITH joined AS (
    SELECT u.* EXCLUDE (source_id, conversation_id), f.source_id, coalesce(f.conversation_id, u.conversation_id) AS conversation_id, f.message_id, coalesce(f.join_method, 'none') AS join_method,
           coalesce(u.occurred_at, t.end_at) AS known_at
    FROM _usage u
    LEFT JOIN _usage_found f ON f.event_id = u.event_id
    LEFT JOIN _usage_turns t ON t.source_id = f.source_id AND t.conversation_id = f.conversation_id AND t.message_id = f.message_id
), same AS (
    SELECT DISTINCT j.event_id
    FROM joined j
    JOIN joined o ON o.fresh_input_tokens = j.fresh_input_tokens AND o.cache_write_tokens = j.cache_write_tokens AND o.cache_read_tokens = j.cache_read_tokens AND o.output_tokens = j.output_tokens
    WHERE o.is_counted AND o.rank < j.rank AND j.message_id IS NULL AND (j.fresh_input_tokens > 0 OR j.cache_read_tokens > 0 OR j.output_tokens > 0)
      AND coalesce(abs(epoch_ms(o.known_at) - j.at_ms) <= 120000, true) AND coalesce(o.conversation_id = j.conversation_id, true)
    UNION
    SELECT j.event_id
    FROM joined j
    JOIN joined o ON o.origin = 'api' AND o.occurred_at = j.occurred_at AND o.model IS NOT DISTINCT FROM j.model AND o.fresh_input_tokens IS NOT DISTINCT FROM j.fresh_input_tokens
      AND o.cache_write_tokens IS NOT DISTINCT FROM j.cache_write_tokens AND o.cache_read_tokens IS NOT DISTINCT FROM j.cache_read_tokens AND o.output_tokens IS NOT DISTINCT FROM j.output_tokens
    WHERE j.origin = 'csv'
), ranked AS (
    SELECT j.*, j.is_counted AND s.event_id IS NULL AS may_count,
           min(CASE WHEN j.is_counted AND s.event_id IS NULL THEN j.rank END) OVER (PARTITION BY j.source_id, j.conversation_id, j.message_id) AS best
    FROM joined j
    LEFT JOIN same s ON s.event_id = j.event_id
), prices AS (
    SELECT source_id, conversation_id, message_id, rank, sum(cost_cents) AS cost_cents, sum(charged_cents) AS charged_cents
    FROM ranked
    WHERE message_id IS NOT NULL AND may_count AND (cost_cents IS NOT NULL OR charged_cents IS NOT NULL)
    GROUP BY source_id, conversation_id, message_id, rank
    QUALIFY row_number() OVER (PARTITION BY source_id, conversation_id, message_id ORDER BY rank) = 1
), counted AS (
    SELECT *, may_count AND (message_id IS NULL OR rank = best) AS counts,
           row_number() OVER (PARTITION BY source_id, conversation_id, message_id, may_count AND rank = best ORDER BY known_at, event_id) = 1 AS is_first
    FROM ranked
)
SELECT c.event_id, c.source_id, c.conversation_id, c.message_id, c.request_id, c.known_at AS occurred_at, c.model, c.kind, c.fresh_input_tokens, c.cache_write_tokens, c.cache_read_tokens, c.output_tokens,
       CASE WHEN c.counts AND c.is_first AND c.rank < p.rank THEN coalesce(c.cost_cents, p.cost_cents) ELSE c.cost_cents END AS cost_cents,
       CASE WHEN c.counts AND c.is_first AND c.rank < p.rank THEN coalesce(c.charged_cents, p.charged_cents) ELSE c.charged_cents END AS charged_cents,
       c.is_headless, c.max_mode, c.counts AS is_counted, c.origin, c.join_method, c.file, coalesce(l.load_id, getvariable('load_id')) AS load_id
FROM counted c
LEFT JOIN prices p ON p.source_id = c.source_id AND p.conversation_id = c.conversation_id AND p.message_id = c.message_id
LEFT JOIN _usage_loads l ON l.event_id = c.event_id
ORDER BY c.known_at, c.event_id;

DROP TABLE _usage_loads;
DROP TABLE _usage_found;
DROP TABLE _usage_turns;
DROP TABLE _usage;
