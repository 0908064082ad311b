-- Made by translate.py from sql/answers/03_model_mix_per_week.sql, sha256 4d54e16009e894321ca738d805604ea4be84633a6cb7b35e408a248131a0beb3
-- Share of answers per week and model, and its drift; known of total answers name their model, chosen_known of conversations the chosen one.
CREATE OR REPLACE VIEW model_mix_per_week AS
WITH answered AS (
  SELECT
    live_messages.machine_id AS machine_id,
    CAST(dateTrunc('WEEK', CAST(live_messages.created_at AS Nullable(Date32))) AS Nullable(Date32)) AS week,
    live_messages.model AS model,
    CAST(COUNT(*) AS Nullable(Int64)) AS answers
  FROM live_messages AS live_messages
  WHERE
    live_messages.role = 'assistant'
  GROUP BY
    live_messages.machine_id,
    CAST(dateTrunc('WEEK', CAST(live_messages.created_at AS Nullable(Date32))) AS Nullable(Date32)),
    live_messages.model
), begun AS (
  SELECT
    live_conversations.machine_id AS machine_id,
    CAST(dateTrunc('WEEK', CAST(COALESCE(live_conversations.created_at, live_conversations.first_message_at, live_conversations.updated_at) AS Nullable(Date32))) AS Nullable(Date32)) AS week,
    live_conversations.model AS model,
    CAST(COUNT(*) AS Nullable(Int64)) AS chosen
  FROM live_conversations AS live_conversations
  WHERE
    NOT live_conversations.is_subagent AND (
      live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
    )
  GROUP BY
    live_conversations.machine_id,
    CAST(dateTrunc('WEEK', CAST(COALESCE(live_conversations.created_at, live_conversations.first_message_at, live_conversations.updated_at) AS Nullable(Date32))) AS Nullable(Date32)),
    live_conversations.model
), weeks AS (
  SELECT
    _0.machine_id AS machine_id,
    _0.week AS week,
    COALESCE(SUM(_0.answers), 0) AS total,
    COALESCE(SUM(CASE WHEN NOT (
      _0.model IS NULL
    ) THEN _0.answers END), 0) AS known,
    COALESCE(SUM(_0.chosen), 0) AS conversations,
    COALESCE(SUM(CASE WHEN NOT (
      _0.model IS NULL
    ) THEN _0.chosen END), 0) AS chosen_known
  FROM (
    SELECT
      answered.machine_id AS machine_id,
      answered.week AS week,
      answered.model AS model,
      answered.answers AS answers,
      CAST(NULL AS Nullable(Int64)) AS chosen
    FROM answered AS answered
    UNION ALL
    SELECT
      begun.machine_id AS machine_id,
      begun.week AS week,
      begun.model AS model,
      CAST(NULL AS Nullable(Int64)) AS answers,
      begun.chosen AS chosen
    FROM begun AS begun
  ) AS _0
  GROUP BY
    _0.machine_id,
    _0.week
), mixed AS (
  SELECT
    _1.machine_id AS machine_id,
    _1.week AS week,
    _1.model AS model,
    SUM(_1.answers) AS answers,
    SUM(_1.chosen) AS chosen
  FROM (
    SELECT
      answered.machine_id AS machine_id,
      answered.week AS week,
      answered.model AS model,
      answered.answers AS answers,
      CAST(NULL AS Nullable(Int64)) AS chosen
    FROM answered AS answered
    UNION ALL
    SELECT
      begun.machine_id AS machine_id,
      begun.week AS week,
      begun.model AS model,
      CAST(NULL AS Nullable(Int64)) AS answers,
      begun.chosen AS chosen
    FROM begun AS begun
    UNION ALL
    SELECT
      a.machine_id AS machine_id,
      a.week + 7 AS week,
      a.model AS model,
      CAST(NULL AS Nullable(Int64)) AS answers,
      CAST(NULL AS Nullable(Int64)) AS chosen
    FROM answered AS a
    SEMI JOIN weeks AS w
      ON w.machine_id = a.machine_id AND (
        w.week = a.week + 7 AND w.known > 0
      )
    WHERE
      NOT (
        a.model IS NULL
      )
  ) AS _1
  GROUP BY
    _1.machine_id,
    _1.week,
    _1.model
), shares AS (
  SELECT
    r.machine_id AS machine_id,
    r.week AS week,
    r.model AS model,
    r.answers AS answers,
    r.chosen AS chosen,
    w.known AS known,
    w.total AS total,
    w.chosen_known AS chosen_known,
    w.conversations AS conversations,
    CASE
      WHEN NOT (
        r.model IS NULL
      ) AND w.known > 0
      THEN trunc((
        COALESCE(r.answers, 0) / w.known
      ) * 10000 + 0.5 * sign((
        COALESCE(r.answers, 0) / w.known
      ))) / 10000
    END AS share,
    CASE
      WHEN NOT (
        r.model IS NULL
      ) AND b.known > 0
      THEN trunc((
        COALESCE(p.answers, 0) / b.known
      ) * 10000 + 0.5 * sign((
        COALESCE(p.answers, 0) / b.known
      ))) / 10000
    END AS share_before
  FROM mixed AS r
  JOIN weeks AS w
    ON w.machine_id = r.machine_id AND w.week IS NOT DISTINCT FROM r.week
  LEFT JOIN weeks AS b
    ON b.machine_id = r.machine_id AND b.week = r.week - 7
  LEFT JOIN answered AS p
    ON p.machine_id = r.machine_id AND (
      p.week = r.week - 7 AND p.model = r.model
    )
)
SELECT
  shares.machine_id AS machine_id,
  shares.week AS week,
  shares.model AS model,
  accurateCastOrNull(COALESCE(shares.answers, 0), 'Int64') AS answers,
  shares.share AS share,
  shares.share_before AS share_before,
  trunc((
    shares.share - shares.share_before
  ) * 10000 + 0.5 * sign((
    shares.share - shares.share_before
  ))) / 10000 AS drift,
  accurateCastOrNull(COALESCE(shares.chosen, 0), 'Int64') AS chosen,
  accurateCastOrNull(shares.known, 'Int64') AS known,
  accurateCastOrNull(shares.total, 'Int64') AS total,
  accurateCastOrNull(shares.chosen_known, 'Int64') AS chosen_known,
  accurateCastOrNull(shares.conversations, 'Int64') AS conversations
FROM shares AS shares
SETTINGS join_use_nulls = 1;
