-- Which legacy prompts and generations does Cursor have now, each once? Those not deleted; of sources that share a conversation (see source_groups) a prompt
-- of a workspace is one row, that of the group's first source that has it.
CREATE OR REPLACE VIEW live_prompts AS
WITH grouped AS (
    SELECT p.source_id, p.workspace_id, p.prompt_id, g.first_source_id
    FROM prompts p
    JOIN source_groups g ON g.source_id = p.source_id
    WHERE p.deleted_at IS NULL
), repeats AS (
    SELECT source_id, workspace_id, prompt_id
    FROM grouped
    QUALIFY row_number() OVER (PARTITION BY first_source_id, workspace_id, prompt_id ORDER BY source_id <> first_source_id, source_id) > 1
)
SELECT p.*
FROM prompts p
ANTI JOIN repeats r ON r.source_id = p.source_id AND r.workspace_id = p.workspace_id AND r.prompt_id = p.prompt_id
WHERE p.deleted_at IS NULL;
COMMENT ON VIEW live_prompts IS 'Prompts and generations that Cursor has now, each once for sources that share conversations.';
