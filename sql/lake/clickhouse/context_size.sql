-- Made by translate.py from sql/answers/04_context_size.sql, sha256 65a8ddd82a678983e5f9d19a6e5ff4e3593e6d489232a54f9dfdb3e76cfe77ac
-- Size of the context at the last turn, per project and chosen model; with_context of conversations record it.
CREATE OR REPLACE VIEW context_size AS
SELECT
  live_conversations.machine_id AS machine_id,
  live_conversations.project AS project,
  live_conversations.project_uri AS project_uri,
  live_conversations.model AS model,
  CAST(COUNT(*) AS Nullable(Int64)) AS conversations,
  CAST(COUNT(live_conversations.context_tokens_used) AS Nullable(Int64)) AS with_context,
  accurateCastOrNull(trunc((
    AVG(live_conversations.context_tokens_used)
  ) + 0.5 * sign((
    AVG(live_conversations.context_tokens_used)
  ))), 'Int64') AS tokens_avg,
  arrayElementOrNull(
    arraySort(groupArray(live_conversations.context_tokens_used)),
    greatest(intDiv(CAST(count(live_conversations.context_tokens_used) AS Nullable(Int64)) * 50 + 99, 100), 1)
  ) AS tokens_p50,
  arrayElementOrNull(
    arraySort(groupArray(live_conversations.context_tokens_used)),
    greatest(intDiv(CAST(count(live_conversations.context_tokens_used) AS Nullable(Int64)) * 95 + 99, 100), 1)
  ) AS tokens_p95,
  MAX(live_conversations.context_tokens_used) AS tokens_max,
  CAST(COUNT(CASE WHEN NOT (
    live_conversations.context_tokens_used IS NULL
  ) AND live_conversations.context_token_limit > 0 THEN 1 END) AS Nullable(Int64)) AS with_limit,
  trunc(
    (
      SUM(CASE WHEN live_conversations.context_token_limit > 0 THEN live_conversations.context_tokens_used END) / SUM(
        CASE
          WHEN NOT (
            live_conversations.context_tokens_used IS NULL
          ) AND live_conversations.context_token_limit > 0
          THEN live_conversations.context_token_limit
        END
      )
    ) * 10000 + 0.5 * sign(
      (
        SUM(CASE WHEN live_conversations.context_token_limit > 0 THEN live_conversations.context_tokens_used END) / SUM(
          CASE
            WHEN NOT (
              live_conversations.context_tokens_used IS NULL
            ) AND live_conversations.context_token_limit > 0
            THEN live_conversations.context_token_limit
          END
        )
      )
    )
  ) / 10000 AS share_of_limit
FROM live_conversations AS live_conversations
WHERE
  live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
GROUP BY
  live_conversations.machine_id,
  live_conversations.project,
  live_conversations.project_uri,
  live_conversations.model
SETTINGS join_use_nulls = 1;
