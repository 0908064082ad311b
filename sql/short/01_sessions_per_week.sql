-- How many sessions, conversations and prompts were there in each week?
-- One row per week (its Monday, in the reader's TimeZone) over all projects, the latest first. What counts is said at sessions_per_week; what carries no time is in no row.
-- Coverage: timed_percent of the messages record their own time; the others stand where their neighbours are.
CREATE OR REPLACE VIEW answers.sessions_per_week_short AS
SELECT week, count(project_uri) AS projects, TRY_CAST(sum(sessions) AS BIGINT) AS sessions, TRY_CAST(sum(conversations) AS BIGINT) AS conversations, TRY_CAST(sum(prompts) AS BIGINT) AS prompts,
       TRY_CAST(sum(real_times) / nullif(sum(messages), 0) * 100 AS DECIMAL(18, 1)) AS timed_percent
FROM answers.sessions_per_week
WHERE week IS NOT NULL
GROUP BY week
ORDER BY week DESC;
COMMENT ON VIEW answers.sessions_per_week_short IS 'Sessions, conversations and prompts per week, over all projects.';
COMMENT ON COLUMN answers.sessions_per_week_short.week IS 'Monday of the week.';
COMMENT ON COLUMN answers.sessions_per_week_short.projects IS 'Projects with a session, a conversation or a message in the week.';
COMMENT ON COLUMN answers.sessions_per_week_short.sessions IS 'Sessions that began in the week.';
COMMENT ON COLUMN answers.sessions_per_week_short.conversations IS 'Conversations that began in the week, without subagents.';
COMMENT ON COLUMN answers.sessions_per_week_short.prompts IS 'What the user asked in the week, repeats left out.';
COMMENT ON COLUMN answers.sessions_per_week_short.timed_percent IS 'Messages of the week that record their own time, in percent.';
