-- Which projects take the most space in Cursor's store?
-- One row per project, the largest first. megabytes (of 1000 kB) are the rows as the store has them now, kept_megabytes all versions that are kept.
-- Coverage: conversations are those that the raw layer has rows of.
CREATE OR REPLACE VIEW answers.storage_by_project_short AS
SELECT project, conversations, TRY_CAST(present_bytes / 1e6 AS DECIMAL(18, 1)) AS megabytes, TRY_CAST(present_bytes / nullif(sum(present_bytes) OVER (), 0) * 100 AS DECIMAL(18, 1)) AS percent,
       TRY_CAST(kept_bytes / 1e6 AS DECIMAL(18, 1)) AS kept_megabytes
FROM answers.storage_by_project
ORDER BY present_bytes DESC, kept_bytes DESC, project_uri NULLS LAST;
COMMENT ON VIEW answers.storage_by_project_short IS 'Space of each project in Cursor''s store.';
COMMENT ON COLUMN answers.storage_by_project_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.storage_by_project_short.conversations IS 'Conversations that the raw layer has rows of.';
COMMENT ON COLUMN answers.storage_by_project_short.megabytes IS 'Size of their rows now.';
COMMENT ON COLUMN answers.storage_by_project_short.percent IS 'Its part of the size of all projects, in percent.';
COMMENT ON COLUMN answers.storage_by_project_short.kept_megabytes IS 'Size of all versions that the raw layer keeps.';
