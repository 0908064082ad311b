-- Made by translate.py from sql/answers/04_context_size.sql, sha256 65a8ddd82a678983e5f9d19a6e5ff4e3593e6d489232a54f9dfdb3e76cfe77ac
-- Size of the context at the last turn, per project and chosen model; with_context of conversations record it.
CREATE OR REPLACE TEMP VIEW context_size AS
SELECT
  live_conversations.machine_id AS machine_id,
  live_conversations.project AS project,
  live_conversations.project_uri AS project_uri,
  live_conversations.model AS model,
  COUNT(*) AS conversations,
  COUNT(live_conversations.context_tokens_used) AS with_context,
  TRY_CAST(ROUND(AVG(live_conversations.context_tokens_used)) AS BIGINT) AS tokens_avg,
  QUANTILE_DISC(live_conversations.context_tokens_used, 0.5) AS tokens_p50,
  QUANTILE_DISC(live_conversations.context_tokens_used, 0.95) AS tokens_p95,
  MAX(live_conversations.context_tokens_used) AS tokens_max,
  COUNT(*) FILTER(WHERE
    NOT live_conversations.context_tokens_used IS NULL AND live_conversations.context_token_limit > 0) AS with_limit,
  ROUND(
    SUM(live_conversations.context_tokens_used) FILTER(WHERE
      live_conversations.context_token_limit > 0) / SUM(live_conversations.context_token_limit) FILTER(WHERE
      NOT live_conversations.context_tokens_used IS NULL AND live_conversations.context_token_limit > 0),
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
