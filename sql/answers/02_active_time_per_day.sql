-- How long was there work on each project, day by day?
-- One row per day (in the reader's TimeZone) and project, latest day first, then the project with most time.
-- active_ms is the length of the day's activity periods (table activity_periods: messages with no longer gap between them than the session
-- gap, 30 minutes unless set), cut at midnight; periods of one project that overlap, in two sources, count once. It is a lower bound: what
-- was read before the first message and after the last left no trace, and a lone message lasts 0 ms. day_active_ms is that of the whole day
-- over all projects, time that two of them share counted once: sum it over days, never over rows. It is time in which user or agent was busy.
-- prompts are the user's own, each once: repeats of the user's messages are left out of them, as a fork repeats them, or a best-of-N copy.
-- Coverage: of the messages, real_times record their own time; only these make periods. active_ms NULL: no message of that day does.
CREATE OR REPLACE VIEW answers.active_time_per_day AS
WITH touched AS (
    SELECT project_uri, project, epoch_ms(started_at) AS started_ms, epoch_ms(ended_at) AS ended_ms,
           CAST(unnest(range(CAST(started_at AS DATE), CAST(ended_at AS DATE) + 1, INTERVAL 1 DAY)) AS DATE) AS day
    FROM main.live_activity_periods
    WHERE started_at >= '2015-01-01 00:00:00+00' AND ended_at < '2100-01-01 00:00:00+00' -- other times are none, and their days too many
), pieces AS (
    -- from midnight to midnight, whatever lies between them: a day of the change to summer time has 23 hours
    SELECT day, project_uri, project,
           greatest(started_ms, epoch_ms(CAST(day AS TIMESTAMPTZ))) AS from_ms,
           least(ended_ms, epoch_ms(CAST(day + 1 AS TIMESTAMPTZ))) AS to_ms
    FROM touched
), reached AS (
    -- how far the pieces before this one reach: what lies before that is counted already
    SELECT *,
           max(to_ms) OVER (PARTITION BY day, project_uri ORDER BY from_ms, to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS project_ms,
           max(to_ms) OVER (PARTITION BY day ORDER BY from_ms, to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS day_ms
    FROM pieces
), active AS (
    SELECT day, project_uri, project,
           count(*) AS periods,
           sum(greatest(to_ms - greatest(from_ms, project_ms), 0)) AS active_ms, -- greatest and least pass over NULL
           sum(greatest(to_ms - greatest(from_ms, day_ms), 0)) AS own_ms
    FROM reached
    GROUP BY ALL
), sent AS (
    SELECT CAST(m.created_at AS DATE) AS day, c.project_uri, c.project,
           count(*) AS messages,
           count(*) FILTER (WHERE m.role = 'user' AND NOT m.is_simulated AND NOT c.is_subagent AND NOT m.is_repeat AND c.best_of_parent_id IS NULL) AS prompts,
           count(*) FILTER (WHERE m.role = 'user' AND NOT m.is_simulated AND (m.is_repeat OR c.best_of_parent_id IS NOT NULL)) AS repeats,
           count(*) FILTER (WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS real_times
    FROM main.messages m
    JOIN main.live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL
    GROUP BY ALL
), days AS (
    SELECT day, project, project_uri,
           TRY_CAST(sum(active_ms) AS BIGINT) AS active_ms,
           TRY_CAST(coalesce(sum(periods), 0) AS BIGINT) AS periods,
           TRY_CAST(coalesce(sum(messages), 0) AS BIGINT) AS messages,
           TRY_CAST(coalesce(sum(prompts), 0) AS BIGINT) AS prompts,
           TRY_CAST(coalesce(sum(real_times), 0) AS BIGINT) AS real_times,
           TRY_CAST(coalesce(sum(repeats), 0) AS BIGINT) AS repeats,
           sum(own_ms) AS own_ms
    FROM (FROM active UNION ALL BY NAME FROM sent)
    GROUP BY day, project, project_uri
)
SELECT * EXCLUDE (own_ms, repeats), TRY_CAST(sum(own_ms) OVER (PARTITION BY day) AS BIGINT) AS day_active_ms, repeats
FROM days
ORDER BY day DESC NULLS LAST, active_ms DESC NULLS LAST, messages DESC, project_uri NULLS LAST;
COMMENT ON VIEW answers.active_time_per_day IS 'Active time per day and project, cut at midnight; of the messages, real_times record their own time, and only these count.';
