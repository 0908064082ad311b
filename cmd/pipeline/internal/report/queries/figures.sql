-- The figures at the head of the page: one row for a period.
WITH days AS (
    -- what two projects share counts once
    SELECT day, least(sum(active_ms), max(day_active_ms)) AS active_ms, sum(prompts) AS prompts, sum(messages) AS messages, sum(real_times) AS real_times, sum(repeats) AS repeats
    FROM report.activity
    WHERE true /* the period and the projects */
    GROUP BY day
), active AS (
    SELECT sum(active_ms) AS active_ms, coalesce(sum(prompts), 0) AS prompts, coalesce(sum(messages), 0) AS messages, coalesce(sum(real_times), 0) AS real_times,
           coalesce(sum(repeats), 0) AS repeats, count(*) FILTER (WHERE messages > 0) AS days
    FROM days
), held AS (
    SELECT count(*) AS sessions
    FROM report.sessions
    WHERE true /* the period and the projects */
), called AS (
    SELECT coalesce(sum(calls), 0) AS calls, coalesce(sum(outcome_known), 0) AS outcome_known, coalesce(sum(failed), 0) AS failed
    FROM report.tools
    WHERE true /* the period and the projects */
), edited AS (
    SELECT coalesce(sum(edits), 0) AS edits, coalesce(sum(decided), 0) AS decided, coalesce(sum(accepted), 0) AS accepted
    FROM report.edits
    WHERE true /* the period and the projects */
), spent AS (
    SELECT sum(input_tokens) AS input_tokens, sum(output_tokens) AS output_tokens, coalesce(sum(messages), 0) AS answers,
           coalesce(sum(messages_tokens_known), 0) AS tokens_known, sum(cost_cents) AS cost_cents,
           coalesce(sum(cost_known), 0) AS cost_known, coalesce(sum(conversations), 0) AS conversations
    FROM report.cost
    WHERE true /* the period and the projects */
), billed AS (
    SELECT sum(cost_cents) AS billed_cents, coalesce(sum(with_cost), 0) AS billed_with_cost,
           sum(charged_cents) AS charged_cents, coalesce(sum(with_charge), 0) AS billed_with_charge, coalesce(sum(events), 0) AS billed_events
    FROM report.billed
    WHERE true /* the period and the projects */
)
SELECT * FROM active, held, called, edited, spent, billed;
