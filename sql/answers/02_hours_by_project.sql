-- Where did my hours go: how long was there work on each project?
-- One row per project, the one with most time first. active_ms is the length of the project's activity periods (table activity_periods: messages with no longer gap between
-- them than the session gap, 30 minutes unless set); those that overlap, in two sources, count once. It is a lower bound: what was read before the first message and
-- after the last left no trace, and a lone message lasts 0 ms. It is time in which user or agent was busy.
-- Two projects may be worked on at once. Each has that time in its active_ms, and in shared_ms, which is the part of it in which another project was active, too. So active_ms
-- is not to be added up over projects: total_active_ms (the same in every row) is the time of all projects, what they share counted once.
-- sessions and conversations are those of the project: conversations without subagents, best-of-N copies and empty ones. messages are all live ones; prompts are the user's own, each once:
-- repeats of the user's messages, which a fork has, or a best-of-N copy, are left out. last_active_at is the best known time of the last message.
-- Coverage: of the messages, real_times record their own time; only these make periods. active_ms NULL: no message of the project does.
-- Total: active_ms unless shared_ms, periods, sessions, conversations, messages, prompts, real_times.
CREATE OR REPLACE VIEW answers.hours_by_project AS
WITH periods AS (
    SELECT project_uri, project, epoch_ms(started_at) AS from_ms, epoch_ms(ended_at) AS to_ms
    FROM main.live_activity_periods
), reached AS (
    -- how far the periods before this one reach: what lies before that is counted already
    SELECT *,
           max(to_ms) OVER (PARTITION BY project_uri ORDER BY from_ms, to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS project_ms,
           max(to_ms) OVER (ORDER BY from_ms, to_ms ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS all_ms
    FROM periods
), stretches AS (
    -- of one project none overlaps another
    SELECT project_uri, project, greatest(from_ms, project_ms) AS from_ms, to_ms -- greatest passes over NULL
    FROM reached
    WHERE to_ms > greatest(from_ms, project_ms)
), bounds AS (
    SELECT at_ms, sum(sum(step)) OVER (ORDER BY at_ms) AS projects, lead(at_ms) OVER (ORDER BY at_ms) AS next_ms
    FROM (SELECT from_ms AS at_ms, 1 AS step FROM stretches UNION ALL SELECT to_ms, -1 FROM stretches)
    GROUP BY at_ms
), shared AS (
    SELECT s.project_uri, sum(b.next_ms - b.at_ms) AS shared_ms
    FROM stretches s
    JOIN bounds b ON b.at_ms >= s.from_ms AND b.next_ms <= s.to_ms
    WHERE b.projects > 1
    GROUP BY s.project_uri
), active AS (
    SELECT project_uri, project, count(*) AS periods,
           sum(greatest(to_ms - greatest(from_ms, project_ms), 0)) AS active_ms,
           sum(greatest(to_ms - greatest(from_ms, all_ms), 0)) AS own_ms
    FROM reached
    GROUP BY ALL
), begun AS (
    SELECT project_uri, project, count(*) AS sessions
    FROM main.live_sessions
    GROUP BY ALL
), talked AS (
    SELECT project_uri, project, count(*) AS conversations
    FROM main.live_conversations
    WHERE (message_count > 0 OR missing_message_count > 0) AND NOT is_subagent AND best_of_parent_id IS NULL
    GROUP BY ALL
), sent AS (
    SELECT c.project_uri, c.project,
           count(*) AS messages,
           count(*) FILTER (WHERE m.role = 'user' AND NOT m.is_simulated AND NOT c.is_subagent AND NOT m.is_repeat AND c.best_of_parent_id IS NULL) AS prompts,
           count(*) FILTER (WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS real_times,
           max(m.created_at) AS last_active_at
    FROM main.messages m
    JOIN main.live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL
    GROUP BY ALL
), projects AS (
    SELECT project, project_uri,
           TRY_CAST(sum(active_ms) AS BIGINT) AS active_ms,
           sum(own_ms) AS own_ms,
           TRY_CAST(coalesce(sum(periods), 0) AS BIGINT) AS periods,
           TRY_CAST(coalesce(sum(sessions), 0) AS BIGINT) AS sessions,
           TRY_CAST(coalesce(sum(conversations), 0) AS BIGINT) AS conversations,
           TRY_CAST(coalesce(sum(messages), 0) AS BIGINT) AS messages,
           TRY_CAST(coalesce(sum(prompts), 0) AS BIGINT) AS prompts,
           TRY_CAST(coalesce(sum(real_times), 0) AS BIGINT) AS real_times,
           max(last_active_at) AS last_active_at
    FROM (FROM active UNION ALL BY NAME FROM begun UNION ALL BY NAME FROM talked UNION ALL BY NAME FROM sent)
    GROUP BY project, project_uri
)
SELECT p.project, p.project_uri, p.active_ms,
       CASE WHEN p.active_ms IS NOT NULL THEN TRY_CAST(coalesce(s.shared_ms, 0) AS BIGINT) END AS shared_ms,
       TRY_CAST(sum(p.own_ms) OVER () AS BIGINT) AS total_active_ms,
       p.periods, p.sessions, p.conversations, p.messages, p.prompts, p.last_active_at, p.real_times
FROM projects p
LEFT JOIN shared s ON s.project_uri IS NOT DISTINCT FROM p.project_uri
ORDER BY p.active_ms DESC NULLS LAST, p.prompts DESC, p.messages DESC, p.project_uri NULLS LAST;
COMMENT ON VIEW answers.hours_by_project IS 'Active time, sessions and prompts per project; what projects share is in shared_ms. Of the messages, real_times record their own time.';
