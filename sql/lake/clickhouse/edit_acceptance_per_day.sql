-- Made by translate.py from sql/answers/13_edit_acceptance_per_day.sql, sha256 aefbc62777163394965824486a3567b8c2e198aa048d7a716dc09bbca66146a6
-- Lines suggested and accepted per day, as Cursor counts them; tab_known and composer_known of sources record both.
CREATE OR REPLACE VIEW edit_acceptance_per_day AS
WITH both_known AS (
  SELECT
    live_daily_edit_stats.machine_id AS machine_id,
    live_daily_edit_stats.date AS date,
    live_daily_edit_stats.source_id AS source_id,
    live_daily_edit_stats.tab_suggested_lines AS tab_suggested_lines,
    live_daily_edit_stats.tab_accepted_lines AS tab_accepted_lines,
    live_daily_edit_stats.composer_suggested_lines AS composer_suggested_lines,
    live_daily_edit_stats.composer_accepted_lines AS composer_accepted_lines,
    NOT (
      live_daily_edit_stats.tab_suggested_lines IS NULL
    ) AND NOT (
      live_daily_edit_stats.tab_accepted_lines IS NULL
    ) AS has_tab,
    NOT (
      live_daily_edit_stats.composer_suggested_lines IS NULL
    ) AND NOT (
      live_daily_edit_stats.composer_accepted_lines IS NULL
    ) AS has_composer
  FROM live_daily_edit_stats AS live_daily_edit_stats
)
SELECT
  both_known.machine_id AS machine_id,
  both_known.date AS date,
  CAST(COUNT(*) AS Nullable(Int64)) AS sources,
  CAST(COUNT(CASE WHEN both_known.has_tab THEN 1 END) AS Nullable(Int64)) AS tab_known,
  accurateCastOrNull(SUM(both_known.tab_suggested_lines), 'Int64') AS tab_suggested_lines,
  accurateCastOrNull(SUM(both_known.tab_accepted_lines), 'Int64') AS tab_accepted_lines,
  trunc(
    (
      SUM(CASE WHEN both_known.has_tab THEN both_known.tab_accepted_lines END) / nullIf(SUM(CASE WHEN both_known.has_tab THEN both_known.tab_suggested_lines END), 0)
    ) * 10000 + 0.5 * sign(
      (
        SUM(CASE WHEN both_known.has_tab THEN both_known.tab_accepted_lines END) / nullIf(SUM(CASE WHEN both_known.has_tab THEN both_known.tab_suggested_lines END), 0)
      )
    )
  ) / 10000 AS tab_acceptance_rate,
  CAST(COUNT(CASE WHEN both_known.has_composer THEN 1 END) AS Nullable(Int64)) AS composer_known,
  accurateCastOrNull(SUM(both_known.composer_suggested_lines), 'Int64') AS composer_suggested_lines,
  accurateCastOrNull(SUM(both_known.composer_accepted_lines), 'Int64') AS composer_accepted_lines,
  trunc(
    (
      SUM(CASE WHEN both_known.has_composer THEN both_known.composer_accepted_lines END) / nullIf(SUM(CASE WHEN both_known.has_composer THEN both_known.composer_suggested_lines END), 0)
    ) * 10000 + 0.5 * sign(
      (
        SUM(CASE WHEN both_known.has_composer THEN both_known.composer_accepted_lines END) / nullIf(SUM(CASE WHEN both_known.has_composer THEN both_known.composer_suggested_lines END), 0)
      )
    )
  ) / 10000 AS composer_acceptance_rate
FROM both_known AS both_known
GROUP BY
  both_known.machine_id,
  both_known.date
SETTINGS join_use_nulls = 1;
