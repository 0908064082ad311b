-- How long was there work on each project, day by day, and what was begun?
-- One row per day (in the reader's TimeZone) and project with a message or a conversation that began. active_ms, prompts, messages, real_times and
-- repeats are those of active_time_per_day. conversations are those that began on the day (created, else first message, else last update): no subagents, no
-- best-of-N copies and no empty ones (no message, and none missing), so that each counts once. day_active_ms is the active time of the whole day over all projects, time that two of them share counted
-- once: the same in every row of the day, and so never to be summed over rows. The row with day NULL has what carries no time at all.
-- Coverage: of the messages, real_times record their own time; active_ms is NULL where no message of the day does.
CREATE OR REPLACE VIEW report.activity AS
WITH begun AS (
    SELECT CAST(coalesce(created_at, first_message_at, updated_at) AS DATE) AS day, project_uri, project, count(*) AS conversations
    FROM main.live_conversations
    WHERE NOT is_subagent AND best_of_parent_id IS NULL AND (message_count > 0 OR missing_message_count > 0)
    GROUP BY ALL
)
SELECT day, project_uri, project,
       max(active_ms) AS active_ms, -- of the one row that has it
       TRY_CAST(coalesce(sum(prompts), 0) AS BIGINT) AS prompts,
       TRY_CAST(coalesce(sum(messages), 0) AS BIGINT) AS messages,
       TRY_CAST(coalesce(sum(real_times), 0) AS BIGINT) AS real_times,
       TRY_CAST(coalesce(sum(conversations), 0) AS BIGINT) AS conversations,
       max(max(day_active_ms)) OVER (PARTITION BY day) AS day_active_ms,
       TRY_CAST(coalesce(sum(repeats), 0) AS BIGINT) AS repeats
FROM (
    SELECT day, project_uri, project, active_ms, prompts, messages, real_times, day_active_ms, repeats FROM answers.active_time_per_day
    UNION ALL BY NAME
    FROM begun
)
GROUP BY day, project_uri, project;
COMMENT ON VIEW report.activity IS 'Active time, prompts, messages and conversations begun per day and project; of the messages, real_times record their own time.';
