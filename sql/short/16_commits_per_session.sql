-- How many commits came out of each session?
-- One row per session of a project whose repository is known, the most commits first. related commits have a file that a conversation of the session had touched.
-- Coverage: lines are those of the related commits, NULL where they are not known.
CREATE OR REPLACE VIEW answers.commits_per_session_short AS
SELECT CAST(started_at AS DATE) AS day, project, prompts, commits, related_commits AS related, lines_added AS lines
FROM answers.commits_per_session
ORDER BY commits DESC, related_commits DESC, started_at DESC, session_id;
COMMENT ON VIEW answers.commits_per_session_short IS 'Commits per session.';
COMMENT ON COLUMN answers.commits_per_session_short.day IS 'Day on which the session began.';
COMMENT ON COLUMN answers.commits_per_session_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.commits_per_session_short.prompts IS 'What the user asked in the session.';
COMMENT ON COLUMN answers.commits_per_session_short.commits IS 'Commits that it was active before.';
COMMENT ON COLUMN answers.commits_per_session_short.related IS 'Commits that have a file which it had touched.';
COMMENT ON COLUMN answers.commits_per_session_short.lines IS 'Lines that the related commits added.';
