-- Makes one event of all that files say of it, and finds the turn that it belongs to.
--
-- An event that names a request belongs to the turn of that request, else one that names a conversation or a cloud agent to the last turn of it that began at or
-- before the event's time, which is the end of the request [opik]. Of any other event, one conversation alone must have had a turn with the same model
-- around that time, from its prompt to 60 seconds after its last message; else it belongs to none. Nothing is spread. Turns that a fork has from another
-- conversation belong to that one (messages.is_repeat). Of a conversation that several sources have, the primary counts.
--
-- Of one turn, hooks and streams are counted before events of the API, and these before exports: they say the same. An export's event that is also one of the
-- API, with the same time, model and counts, is not counted either. All events are made anew, as later chats may have the turn of an earlier event; an event keeps the load that first read it.
-- A load skips it while usage_records is empty.

CREATE OR REPLACE TEMP TABLE _usage AS
SELECT *, epoch_ms(occurred_at) AS at_ms, coalesce(conversation_id, cloud_agent_id) AS named, list_position(['hook', 'stream', 'api', 'csv'], origin) AS rank
FROM usage_records
QUALIFY row_number() OVER (PARTITION BY event_id ORDER BY conversation_id IS NULL, deleted_at IS NOT NULL, source_id, file) = 1;

CREATE OR REPLACE TEMP TABLE _usage_turns AS
WITH said AS (
    SELECT m.source_id, m.conversation_id, m.turn, m.message_id, m.position, m.request_id, m.model, m.is_repeat, epoch_ms(m.created_at) AS at_ms,
           m.role = 'user' AND m.is_simulated IS NOT TRUE AS is_prompt, m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') AS is_real
    FROM messages m
    JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
    WHERE m.turn IS NOT NULL AND (m.deleted_at IS NULL OR c.deleted_at IS NOT NULL)
)
SELECT source_id, conversation_id, turn,
       arg_min(message_id, (position, message_id)) FILTER (is_prompt) AS message_id,
       coalesce(min(request_id) FILTER (is_prompt), min(request_id)) AS request_id,
       min(at_ms) FILTER (is_prompt AND is_real) AS start_ms, max(at_ms) FILTER (is_real) AS end_ms,
       list(DISTINCT model) FILTER (model IS NOT NULL) AS models
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
    JOIN _usage_turns t ON u.at_ms >= t.start_ms AND u.at_ms <= t.end_ms + 60000 AND list_contains(t.models, u.model)
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
    SELECT u.* EXCLUDE (source_id, conversation_id), f.source_id, f.conversation_id, f.message_id, coalesce(f.join_method, 'none') AS join_method,
           min(CASE WHEN u.is_counted THEN u.rank END) OVER (PARTITION BY f.source_id, f.conversation_id, f.message_id) AS best
    FROM _usage u
    LEFT JOIN _usage_found f ON f.event_id = u.event_id
)
SELECT j.event_id, j.source_id, j.conversation_id, j.message_id, j.request_id, j.occurred_at, j.model, j.kind, j.fresh_input_tokens, j.cache_write_tokens, j.cache_read_tokens, j.output_tokens,
       j.cost_cents, j.charged_cents, j.is_headless, j.max_mode, j.origin, j.join_method, j.file, coalesce(l.load_id, getvariable('load_id')) AS load_id,
       j.is_counted AND (j.message_id IS NULL OR j.rank = j.best) AND NOT (j.origin = 'csv' AND EXISTS (
           FROM _usage o
           WHERE o.origin = 'api' AND o.occurred_at = j.occurred_at AND o.model IS NOT DISTINCT FROM j.model AND o.fresh_input_tokens IS NOT DISTINCT FROM j.fresh_input_tokens
             AND o.cache_write_tokens IS NOT DISTINCT FROM j.cache_write_tokens AND o.cache_read_tokens IS NOT DISTINCT FROM j.cache_read_tokens
             AND o.output_tokens IS NOT DISTINCT FROM j.output_tokens)) AS is_counted
FROM joined j
LEFT JOIN _usage_loads l ON l.event_id = j.event_id
ORDER BY j.occurred_at, j.event_id;

DROP TABLE _usage_loads;
DROP TABLE _usage_found;
DROP TABLE _usage_turns;
DROP TABLE _usage;
