-- Made by translate.py from sql/answers/03_model_mix_per_week.sql, sha256 4d54e16009e894321ca738d805604ea4be84633a6cb7b35e408a248131a0beb3
-- Share of answers per week and model, and its drift; known of total answers name their model, chosen_known of conversations the chosen one.
CREATE OR REPLACE TEMP VIEW model_mix_per_week AS
WITH answered AS (
  SELECT
    live_messages.machine_id AS machine_id,
    CAST(DATE_TRUNC('WEEK', CAST(live_messages.created_at AS DATE)) AS DATE) AS week,
    live_messages.model AS model,
    COUNT(*) AS answers
  FROM live_messages AS live_messages
  WHERE
    live_messages.role = 'assistant'
  GROUP BY
    live_messages.machine_id,
    CAST(DATE_TRUNC('WEEK', CAST(live_messages.created_at AS DATE)) AS DATE),
    live_messages.model
), begun AS (
  SELECT
    live_conversations.machine_id AS machine_id,
    CAST(DATE_TRUNC('WEEK', CAST(COALESCE(live_conversations.created_at, live_conversations.first_message_at, live_conversations.updated_at) AS DATE)) AS DATE) AS week,
    live_conversations.model AS model,
    COUNT(*) AS chosen
  FROM live_conversations AS live_conversations
  WHERE
    NOT live_conversations.is_subagent AND (
      live_conversations.message_count > 0 OR live_conversations.missing_message_count > 0
    )
  GROUP BY
    live_conversations.machine_id,
    CAST(DATE_TRUNC('WEEK', CAST(COALESCE(live_conversations.created_at, live_conversations.first_message_at, live_conversations.updated_at) AS DATE)) AS DATE),
    live_conversations.model
), weeks AS (
  SELECT
    _0.machine_id AS machine_id,
    _0.week AS week,
    COALESCE(SUM(_0.answers), 0) AS total,
    COALESCE(SUM(_0.answers) FILTER(WHERE
      NOT _0.model IS NULL), 0) AS known,
    COALESCE(SUM(_0.chosen), 0) AS conversations,
    COALESCE(SUM(_0.chosen) FILTER(WHERE
      NOT _0.model IS NULL), 0) AS chosen_known
  FROM (
    SELECT
      answered.machine_id AS machine_id,
      answered.week AS week,
      answered.model AS model,
      answered.answers AS answers,
      CAST(NULL AS BIGINT) AS chosen
    FROM answered AS answered
    UNION ALL
    SELECT
      begun.machine_id AS machine_id,
      begun.week AS week,
      begun.model AS model,
      CAST(NULL AS BIGINT) AS answers,
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
      CAST(NULL AS BIGINT) AS chosen
    FROM answered AS answered
    UNION ALL
    SELECT
      begun.machine_id AS machine_id,
      begun.week AS week,
      begun.model AS model,
      CAST(NULL AS BIGINT) AS answers,
      begun.chosen AS chosen
    FROM begun AS begun
    UNION ALL
    SELECT
      a.machine_id AS machine_id,
      a.week + 7 AS week,
      a.model AS model,
      CAST(NULL AS BIGINT) AS answers,
      CAST(NULL AS BIGINT) AS chosen
    FROM answered AS a
    SEMI JOIN weeks AS w
      ON w.machine_id = a.machine_id AND (
        w.week = a.week + 7 AND w.known > 0
      )
    WHERE
      NOT a.model IS NULL
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
    CASE WHEN NOT r.model IS NULL AND w.known > 0 THEN ROUND(COALESCE(r.answers, 0) / w.known, 4) END AS share,
    CASE WHEN NOT r.model IS NULL AND b.known > 0 THEN ROUND(COALESCE(p.answers, 0) / b.known, 4) END AS share_before
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
  TRY_CAST(COALESCE(shares.answers, 0) AS BIGINT) AS answers,
  shares.share AS share,
  shares.share_before AS share_before,
  ROUND(shares.share - shares.share_before, 4) AS drift,
  TRY_CAST(COALESCE(shares.chosen, 0) AS BIGINT) AS chosen,
  TRY_CAST(shares.known AS BIGINT) AS known,
  TRY_CAST(shares.total AS BIGINT) AS total,
  TRY_CAST(shares.chosen_known AS BIGINT) AS chosen_known,
  TRY_CAST(shares.conversations AS BIGINT) AS conversations
FROM shares AS shares;
