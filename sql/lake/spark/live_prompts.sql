-- Made by translate.py from sql/views/02_live_prompts.sql, sha256 bac41f70193c024f0d039d7d0994368422925a4bd6a76121aba294fff7d8e943
-- Prompts and generations that Cursor has now, each once for sources that share conversations.
CREATE OR REPLACE TEMPORARY VIEW live_prompts AS
WITH grouped AS (
  SELECT
    p.machine_id AS machine_id,
    p.source_id AS source_id,
    p.workspace_id AS workspace_id,
    p.prompt_id AS prompt_id,
    g.first_source_id AS first_source_id
  FROM prompts AS p
  JOIN source_groups AS g
    ON g.machine_id = p.machine_id AND g.source_id = p.source_id
  WHERE
    p.deleted_at IS NULL
), repeats AS (
  SELECT
    machine_id,
    source_id,
    workspace_id,
    prompt_id
  FROM (
    SELECT
      grouped.machine_id AS machine_id,
      grouped.source_id AS source_id,
      grouped.workspace_id AS workspace_id,
      grouped.prompt_id AS prompt_id,
      ROW_NUMBER() OVER (
        PARTITION BY grouped.machine_id, grouped.first_source_id, grouped.workspace_id, grouped.prompt_id
        ORDER BY grouped.source_id <> grouped.first_source_id NULLS LAST, grouped.source_id NULLS LAST
      ) AS _w
    FROM grouped AS grouped
  ) AS _t
  WHERE
    _w > 1
)
SELECT
  p.machine_id AS machine_id,
  p.source_id AS source_id,
  p.workspace_id AS workspace_id,
  p.prompt_id AS prompt_id,
  p.kind AS kind,
  p.text AS text,
  p.command_type AS command_type,
  p.created_at AS created_at,
  p.deleted_at AS deleted_at
FROM prompts AS p
ANTI JOIN repeats AS r
  ON r.machine_id = p.machine_id AND (
    r.source_id = p.source_id AND r.workspace_id = p.workspace_id AND r.prompt_id = p.prompt_id
  )
WHERE
  p.deleted_at IS NULL;
