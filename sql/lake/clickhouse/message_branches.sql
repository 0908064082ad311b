-- Made by translate.py from sql/views/03_message_branches.sql, sha256 0ab2a8770677c025caac317fca77820f8c8533fa589843099c5e5d5df876f0b1
-- For each message: active, abandoned (an edited prompt left it behind) or deleted (gone from the store while its conversation stayed).
CREATE OR REPLACE VIEW message_branches AS
SELECT
  m.machine_id AS machine_id,
  m.source_id AS source_id,
  m.conversation_id AS conversation_id,
  m.message_id AS message_id,
  m.position AS position,
  m.deleted_at AS deleted_at,
  CASE
    WHEN NOT (
      m.deleted_at IS NULL
    ) AND (
      c.deleted_at IS NULL OR m.deleted_at < c.deleted_at
    )
    THEN 'deleted'
    WHEN NOT m.is_listed AND c.header_count > 0 AND c.status IS DISTINCT FROM 'orphaned'
    THEN 'abandoned'
    ELSE 'active'
  END AS branch
FROM messages AS m
JOIN conversations AS c
  ON c.machine_id = m.machine_id AND (
    c.source_id = m.source_id AND c.conversation_id = m.conversation_id
  )
SETTINGS join_use_nulls = 1;
