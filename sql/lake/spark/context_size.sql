-- Made by translate.py from sql/answers/04_context_size.sql, sha256 65a8ddd82a678983e5f9d19a6e5ff4e3593e6d489232a54f9dfdb3e76cfe77ac
-- Size of the context at the last turn, per project and chosen model; with_context of conversations record it.
CREATE OR REPLACE TEMPORARY VIEW context_size AS
SELECT
  live_conversations.machine_id AS machine_id,
  live_conversations.project AS project,
  live_conversations.project_uri AS project_uri,
  live_conversations.model AS model,
  COUNT(*) AS conversations,
  COUNT(live_conversations.context_tokens_used) AS with_context,
  TRY_CAST(ROUND(AVG(live_conversations.context_tokens_used)) AS BIGINT) AS tokens_avg,
  percentile_disc(0.5) WITHIN GROUP (ORDER BY
    live_conversations.context_tokens_used) AS tokens_p50,
  percentile_disc(0.95) WITHIN GROUP (ORDER BY
    live_conversations.context_tokens_used) AS tokens_p95,
  MAX(live_conversations.context_tokens_used) AS tokens_max,
  COUNT(CASE WHEN NOT live_conversations.context_tokens_used IS NULL AND live_conversations.context_token_limit > 0 THEN 1 END) AS with_limit,
  ROUND(
    SUM(CASE WHEN live_conversations.context_token_limit > 0 THEN live_conversations.context_tokens_used END) / SUM(
      CASE
        WHEN NOT live_conversations.context_tokens_used IS NULL AND live_conversations.context_token_limit > 0
        THEN live_conversations.context_token_limit
      END
    ),
    4
  ) AS share_of_limit
FROM live_conversations AS live_conversations
WHERE
  live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
GROUP BY
  live_conversations.machine_id,
  live_conversations.project,
  live_conversations.project_uri,
  live_conversations.model;
