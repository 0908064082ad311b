-- Where did my hours go?
-- One row per project, the one with most hours first. Two projects may be worked on at once: each has that time in hours, and shared_hours says how much it is. So hours are not to be
-- added up: total_active_ms of hours_by_project has the time of all projects, each hour once.
-- Coverage: hours come from messages that record their own time, and are a lower bound; NULL where none of the project does.
-- Total: hours unless shared_hours, sessions, prompts.
CREATE OR REPLACE VIEW answers.hours_by_project_short AS
SELECT project, TRY_CAST(active_ms / 3600000 AS DECIMAL(18, 2)) AS hours, TRY_CAST(shared_ms / 3600000 AS DECIMAL(18, 2)) AS shared_hours, sessions, prompts, CAST(last_active_at AS DATE) AS last_active
FROM answers.hours_by_project
ORDER BY active_ms DESC NULLS LAST, prompts DESC, project_uri NULLS LAST;
COMMENT ON VIEW answers.hours_by_project_short IS 'Hours, sessions and prompts per project.';
COMMENT ON COLUMN answers.hours_by_project_short.project IS 'Name of the project; NULL where no store gives one.';
COMMENT ON COLUMN answers.hours_by_project_short.hours IS 'Hours in which user or agent was busy on the project; a lower bound.';
COMMENT ON COLUMN answers.hours_by_project_short.shared_hours IS 'Part of the hours in which there was work on another project, too.';
COMMENT ON COLUMN answers.hours_by_project_short.sessions IS 'Sessions of the project.';
COMMENT ON COLUMN answers.hours_by_project_short.prompts IS 'What the user asked in the project, repeats left out.';
COMMENT ON COLUMN answers.hours_by_project_short.last_active IS 'Day of the project''s last message.';
