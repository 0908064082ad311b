-- Made by translate.py from sql/answers/28_billed_by_commit.sql, sha256 59b85c57fb45570dd620434c3f6b5a80f63b9d8b2ab31e8a581811f224efb74a
-- Tokens and cost that Cursor counted for the turns that led to each commit, each turn once. Estimates stand apart.
CREATE OR REPLACE TEMP VIEW billed_by_commit AS
WITH links AS (
  SELECT
    conversation_commits.machine_id AS machine_id,
    conversation_commits.conversation_id AS conversation_id,
    conversation_commits.repository_id AS repository_id,
    conversation_commits.commit_hash AS commit_hash,
    conversation_commits.committed_at AS committed_at,
    MAX(conversation_commits.relevance) AS relevance
  FROM conversation_commits AS conversation_commits
  WHERE
    conversation_commits.relevance IS DISTINCT FROM 0
  GROUP BY
    conversation_commits.machine_id,
    conversation_commits.conversation_id,
    conversation_commits.repository_id,
    conversation_commits.commit_hash,
    conversation_commits.committed_at
), used AS (
  SELECT
    u.machine_id AS machine_id,
    u.event_id AS event_id,
    u.source_id AS source_id,
    u.conversation_id AS conversation_id,
    u.message_id AS message_id,
    u.occurred_at AS occurred_at,
    u.model AS model,
    u.kind AS kind,
    u.fresh_input_tokens AS fresh_input_tokens,
    u.cache_write_tokens AS cache_write_tokens,
    u.cache_read_tokens AS cache_read_tokens,
    u.output_tokens AS output_tokens,
    u.cost_cents AS cost_cents,
    u.charged_cents AS charged_cents,
    u.is_headless AS is_headless,
    u.max_mode AS max_mode,
    u.origin AS origin,
    u.join_method AS join_method,
    u.estimated_input_tokens AS estimated_input_tokens,
    u.estimated_output_tokens AS estimated_output_tokens,
    u.estimated_cost_cents AS estimated_cost_cents,
    u.estimate_method AS estimate_method,
    u.project AS project,
    u.project_uri AS project_uri,
    u.title AS title,
    u.session_id AS session_id,
    u.is_subagent AS is_subagent,
    u.parent_conversation_id AS parent_conversation_id,
    u.root_conversation_id AS root_conversation_id,
    COALESCE(m.created_at, u.occurred_at) AS asked_at
  FROM all_usage AS u
  LEFT JOIN messages AS m
    ON m.machine_id = u.machine_id AND (
      m.source_id = u.source_id AND m.conversation_id = u.conversation_id AND m.message_id = u.message_id
    )
), placed AS (
  SELECT
    u.machine_id AS machine_id,
    u.event_id AS event_id,
    u.source_id AS source_id,
    u.conversation_id AS conversation_id,
    u.message_id AS message_id,
    u.occurred_at AS occurred_at,
    u.model AS model,
    u.kind AS kind,
    u.fresh_input_tokens AS fresh_input_tokens,
    u.cache_write_tokens AS cache_write_tokens,
    u.cache_read_tokens AS cache_read_tokens,
    u.output_tokens AS output_tokens,
    u.cost_cents AS cost_cents,
    u.charged_cents AS charged_cents,
    u.is_headless AS is_headless,
    u.max_mode AS max_mode,
    u.origin AS origin,
    u.join_method AS join_method,
    u.estimated_input_tokens AS estimated_input_tokens,
    u.estimated_output_tokens AS estimated_output_tokens,
    u.estimated_cost_cents AS estimated_cost_cents,
    u.estimate_method AS estimate_method,
    u.project AS project,
    u.project_uri AS project_uri,
    u.title AS title,
    u.session_id AS session_id,
    u.is_subagent AS is_subagent,
    u.parent_conversation_id AS parent_conversation_id,
    u.root_conversation_id AS root_conversation_id,
    u.asked_at AS asked_at,
    l.repository_id AS repository_id,
    l.commit_hash AS commit_hash,
    ROW_NUMBER() OVER (
      PARTITION BY u.machine_id, u.event_id, u.source_id, u.conversation_id, u.message_id
      ORDER BY l.committed_at, l.relevance DESC, l.repository_id, l.commit_hash
    ) AS nth
  FROM used AS u
  JOIN links AS l
    ON l.machine_id = u.machine_id AND (
      l.conversation_id = u.root_conversation_id AND l.committed_at >= u.asked_at
    )
), sums AS (
  SELECT
    placed.machine_id AS machine_id,
    placed.repository_id AS repository_id,
    placed.commit_hash AS commit_hash,
    ROUND(SUM(placed.cost_cents), 4) AS cost_cents,
    ROUND(SUM(placed.charged_cents), 4) AS charged_cents,
    ROUND(
      SUM(placed.cache_read_tokens) FILTER(WHERE
        NOT placed.fresh_input_tokens IS NULL AND NOT placed.cache_write_tokens IS NULL) / NULLIF(SUM(CAST(placed.fresh_input_tokens AS DOUBLE) + placed.cache_write_tokens + placed.cache_read_tokens), 0),
      4
    ) AS cache_share,
    TRY_CAST(SUM(placed.fresh_input_tokens) AS BIGINT) AS fresh_input_tokens,
    TRY_CAST(SUM(placed.cache_write_tokens) AS BIGINT) AS cache_write_tokens,
    TRY_CAST(SUM(placed.cache_read_tokens) AS BIGINT) AS cache_read_tokens,
    TRY_CAST(SUM(placed.output_tokens) AS BIGINT) AS output_tokens,
    TRY_CAST(SUM(placed.estimated_input_tokens) AS BIGINT) AS estimated_input_tokens,
    TRY_CAST(SUM(placed.estimated_output_tokens) AS BIGINT) AS estimated_output_tokens,
    COUNT(DISTINCT placed.conversation_id) AS conversations,
    LISTAGG(DISTINCT placed.model, ', '
    ORDER BY
      placed.model) AS models,
    COUNT(placed.estimated_cost_cents) AS estimated_with_cost,
    COUNT(COALESCE(placed.fresh_input_tokens, placed.output_tokens)) AS with_tokens,
    COUNT(placed.event_id) AS events,
    COUNT(placed.cost_cents) AS with_cost,
    COUNT(placed.estimate_method) AS estimated_turns,
    ROUND(SUM(placed.estimated_cost_cents), 4) AS estimated_cost_cents
  FROM placed AS placed
  WHERE
    placed.nth = 1
  GROUP BY
    placed.machine_id,
    placed.repository_id,
    placed.commit_hash
), made AS (
  SELECT
    commits.machine_id AS machine_id,
    commits.repository_id AS repository_id,
    commits.commit_hash AS commit_hash,
    ANY_VALUE(commits.subject) AS subject,
    ANY_VALUE(commits.author_name) AS author_name,
    MIN(commits.authored_at) AS made_at
  FROM commits AS commits
  GROUP BY
    commits.machine_id,
    commits.repository_id,
    commits.commit_hash
)
SELECT
  s.machine_id AS machine_id,
  c.made_at AS made_at,
  LEFT(c.commit_hash, 10) AS commit,
  c.subject AS subject,
  s.cost_cents AS cost_cents,
  c.author_name AS author_name,
  c.repository_id AS repository_id,
  c.commit_hash AS commit_hash,
  s.charged_cents AS charged_cents,
  s.cache_share AS cache_share,
  s.fresh_input_tokens AS fresh_input_tokens,
  s.cache_write_tokens AS cache_write_tokens,
  s.cache_read_tokens AS cache_read_tokens,
  s.output_tokens AS output_tokens,
  s.estimated_input_tokens AS estimated_input_tokens,
  s.estimated_output_tokens AS estimated_output_tokens,
  s.conversations AS conversations,
  s.models AS models,
  s.estimated_with_cost AS estimated_with_cost,
  s.with_tokens AS with_tokens,
  s.events AS events,
  s.with_cost AS with_cost,
  s.estimated_turns AS estimated_turns,
  s.estimated_cost_cents AS estimated_cost_cents
FROM sums AS s
JOIN made AS c
  ON c.machine_id = s.machine_id AND (
    c.repository_id = s.repository_id AND c.commit_hash = s.commit_hash
  );
