-- Makes one event of all that files say of it (tables _usage and _usage_same, which the model usage_events reads), and says how it is paid, and whether it may be joined by time.
--
-- Rows of files are one event if their time, their model and their person, where both have one, are equal, and no count that both record differs. Equal rows of one file are several events.
-- Where events name several persons, or some name one and others nobody, those of the person who uses the warehouse (variable usage_user) may be joined by time alone, and no others.
-- A load skips it while usage_records is empty.

CREATE OR REPLACE TEMP TABLE _usage_said AS
SELECT o.*, o.deleted_at IS NOT NULL AND n.file IS NOT NULL AS is_replaced
FROM usage_records o
LEFT JOIN (SELECT DISTINCT source_id, file, occurred_at, model FROM usage_records WHERE deleted_at IS NULL) n
    ON n.source_id = o.source_id AND n.file = o.file AND n.occurred_at = o.occurred_at AND n.model IS NOT DISTINCT FROM o.model;

-- The ids of an event that several rows tell of, of which each records another part: all but the first are others' names for it. Rows that say most come first, and each joins the first event
-- that it does not contradict and of which its file has no row yet.
CREATE OR REPLACE TEMP TABLE _usage_same AS
WITH several AS (
    SELECT origin, occurred_at, model
    FROM _usage_said
    WHERE origin IN ('api', 'csv') AND occurred_at IS NOT NULL
    GROUP BY origin, occurred_at, model
    HAVING min(event_id) <> max(event_id)
), told AS (
    SELECT u.event_id, any_value(u.origin) AS origin, any_value(u.occurred_at) AS occurred_at, any_value(u.model) AS model, any_value(u.person) AS person, any_value(u.fresh_input_tokens) AS fresh,
           any_value(u.cache_write_tokens) AS written, any_value(u.cache_read_tokens) AS read, any_value(u.output_tokens) AS output,
           any_value(coalesce(u.fresh_input_tokens::HUGEINT + u.cache_write_tokens + u.cache_read_tokens + u.output_tokens, u.total_tokens)) AS total,
           coalesce(list(DISTINCT u.source_id || chr(31) || u.file) FILTER (NOT u.is_replaced), []) AS files, bool_and(u.is_replaced) AS is_replaced, min(u.line) AS line
    FROM _usage_said u
    SEMI JOIN several s ON s.origin = u.origin AND s.occurred_at = u.occurred_at AND s.model IS NOT DISTINCT FROM u.model
    GROUP BY u.event_id
), rows_of AS (
    SELECT list([{ids: [event_id], files: files, person: person, fresh: fresh, written: written, read: read, output: output, total: total}]
               ORDER BY is_replaced, (fresh IS NOT NULL)::INTEGER + (written IS NOT NULL)::INTEGER + (read IS NOT NULL)::INTEGER + (output IS NOT NULL)::INTEGER + (person IS NOT NULL)::INTEGER DESC,
                   line, event_id) AS each_row
    FROM told
    GROUP BY origin, occurred_at, model
), events AS (
    SELECT unnest(list_reduce(each_row, lambda known, more: list_transform(
               [list_position(list_transform(known, lambda e: NOT list_has_any(e.files, more[1].files) AND coalesce(e.person = more[1].person, true) AND coalesce(e.fresh = more[1].fresh, true)
                   AND coalesce(e.written = more[1].written, true) AND coalesce(e.read = more[1].read, true) AND coalesce(e.output = more[1].output, true)
                   AND coalesce(e.total = more[1].total, true)), true)],
               lambda place: list_transform(known, lambda e, i: CASE WHEN i = place THEN {ids: e.ids || more[1].ids, files: e.files || more[1].files, person: coalesce(e.person, more[1].person),
                       fresh: coalesce(e.fresh, more[1].fresh), written: coalesce(e.written, more[1].written), read: coalesce(e.read, more[1].read), output: coalesce(e.output, more[1].output),
                       total: coalesce(e.total, more[1].total)} ELSE e END)
                   || CASE WHEN place IS NULL THEN more ELSE [] END)[1])) AS event
    FROM rows_of
)
SELECT unnest(event.ids) AS event_id, event.ids[1] AS first_id
FROM events
WHERE len(event.ids) > 1;

-- Each event once. A cell is that of the newest file that has it; of hooks and streams one row tells all, as what their input includes is not always known. What a file said before does not count
-- beside what any file says now.
CREATE OR REPLACE TEMP TABLE _usage AS
WITH known AS (
    SELECT coalesce(s.first_id, u.event_id) AS same_id, u.*
    FROM _usage_said u
    LEFT JOIN _usage_same s ON s.event_id = u.event_id
), valid AS (
    SELECT * EXCLUDE (event_id, same_id), same_id AS event_id
    FROM known
    QUALIFY is_replaced = bool_and(is_replaced) OVER (PARTITION BY same_id)
), newest AS (
    SELECT *, count(*) OVER (PARTITION BY event_id) AS many,
           row_number() OVER (PARTITION BY event_id ORDER BY origin NOT IN ('api', 'csv') AND conversation_id IS NULL, written_at DESC NULLS LAST, deleted_at IS NOT NULL,
               origin NOT IN ('api', 'csv') AND kind IS NULL, file DESC, source_id) AS nth
    FROM valid
), merged AS (
    SELECT event_id, origin, occurred_at, model, kind AS kind_raw, person, conversation_id, request_id, cloud_agent_id, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, total_tokens,
           cost_cents, charged_cents, is_headless, max_mode, is_counted AND NOT is_replaced AS is_counted, file
    FROM newest
    WHERE nth = 1 AND (many = 1 OR origin NOT IN ('api', 'csv'))
    UNION ALL BY NAME
    SELECT event_id, any_value(origin) AS origin, any_value(occurred_at) AS occurred_at, any_value(model) AS model, arg_min(kind, nth) AS kind_raw, arg_min(person, nth) AS person,
           arg_min(conversation_id, nth) AS conversation_id, arg_min(request_id, nth) AS request_id, arg_min(cloud_agent_id, nth) AS cloud_agent_id,
           arg_min(fresh_input_tokens, nth) AS fresh_input_tokens, arg_min(cache_write_tokens, nth) AS cache_write_tokens, arg_min(cache_read_tokens, nth) AS cache_read_tokens,
           arg_min(output_tokens, nth) AS output_tokens, arg_min(total_tokens, nth) AS total_tokens, arg_min(cost_cents, nth) AS cost_cents, arg_min(charged_cents, nth) AS charged_cents,
           arg_min(is_headless, nth) AS is_headless, arg_min(max_mode, nth) AS max_mode,
           coalesce(arg_min(is_counted, nth) FILTER (kind IS NOT NULL), arg_min(is_counted, nth)) AND NOT any_value(is_replaced) AS is_counted, arg_min(file, nth) AS file
    FROM newest
    WHERE many > 1 AND origin IN ('api', 'csv')
    GROUP BY event_id
), worded AS (
    SELECT *, CASE WHEN origin NOT IN ('api', 'csv') THEN 'unknown' WHEN regexp_matches(lower(kind_raw), 'error|abort|no.charge|not.charged') THEN 'errored' WHEN regexp_matches(lower(kind_raw), 'included') THEN 'included'
                   WHEN regexp_matches(lower(kind_raw), 'on.demand|usage.based') THEN 'on_demand' WHEN regexp_matches(lower(kind_raw), 'free') THEN 'free' ELSE 'unknown' END AS kind
    FROM merged
), repeated AS ( -- rows of exports of which the API tells, too
    SELECT j.event_id, arg_min(o.event_id, ((o.output_tokens IS NULL) <> (j.output_tokens IS NULL), o.event_id)) AS told_id
    FROM worded j
    JOIN worded o ON o.origin = 'api' AND o.occurred_at = j.occurred_at AND o.model IS NOT DISTINCT FROM j.model AND coalesce(o.person = j.person, true) AND coalesce(o.fresh_input_tokens = j.fresh_input_tokens, true)
      AND coalesce(o.cache_write_tokens = j.cache_write_tokens, true) AND coalesce(o.cache_read_tokens = j.cache_read_tokens, true) AND coalesce(o.output_tokens = j.output_tokens, true)
    WHERE j.origin = 'csv'
    GROUP BY j.event_id
), also AS ( -- what an export says more of an event of the API
    SELECT r.told_id, min(j.person) AS person, bool_or(j.max_mode) AS max_mode, arg_min({kind: j.kind, kind_raw: j.kind_raw}, j.event_id) FILTER (j.kind <> 'unknown') AS paid
    FROM repeated r
    JOIN worded j ON j.event_id = r.event_id
    GROUP BY r.told_id
), complete AS (
    SELECT u.* REPLACE (coalesce(u.person, a.person, o.person) AS person, coalesce(u.max_mode, a.max_mode) AS max_mode,
               CASE WHEN u.kind = 'unknown' THEN coalesce(a.paid.kind, u.kind) ELSE u.kind END AS kind, CASE WHEN u.kind = 'unknown' THEN coalesce(a.paid.kind_raw, u.kind_raw) ELSE u.kind_raw END AS kind_raw),
           r.event_id IS NOT NULL AS is_repeated
    FROM worded u
    LEFT JOIN also a ON a.told_id = u.event_id
    LEFT JOIN repeated r ON r.event_id = u.event_id
    LEFT JOIN worded o ON o.event_id = r.told_id
), persons AS ( -- who uses the warehouse: who was named, else the only person there is
    SELECT count(person) > 0 AS any_named,
           coalesce(nullif(CAST(getvariable('usage_user') AS VARCHAR), ''), CASE WHEN count(DISTINCT person) = 1 AND count(person) = count(*) THEN min(person) END) AS who
    FROM complete
    WHERE origin IN ('api', 'csv')
)
SELECT c.*, epoch_ms(c.occurred_at) AS at_ms, coalesce(c.conversation_id, c.cloud_agent_id) AS named, coalesce(list_position(['hook', 'stream', 'api', 'csv'], c.origin), 5) AS rank,
       CASE WHEN lower(c.model) IN ('', 'default') THEN 'auto' ELSE c.model END AS turn_model,
       c.origin NOT IN ('api', 'csv') OR NOT p.any_named OR coalesce(c.person = p.who, false) AS may_join, coalesce(c.person <> p.who, false) AS is_others
FROM complete c
CROSS JOIN persons p;

DROP TABLE _usage_said;
