-- Made by translate.py from sql/views/02_live_daily_edit_stats.sql, sha256 b34e9e9949fe63f65f1c718bbb2415d59b85f6949a1a7cd987416191168f8ce1
-- Daily figures of Cursor, a date once for sources that share conversations: the larger value of each column.
CREATE OR REPLACE TEMP VIEW live_daily_edit_stats AS
SELECT
  d.machine_id AS machine_id,
  COALESCE(g.first_source_id, d.source_id) AS source_id,
  d.date AS date,
  MAX(d.tab_suggested_lines) AS tab_suggested_lines,
  MAX(d.tab_accepted_lines) AS tab_accepted_lines,
  MAX(d.composer_suggested_lines) AS composer_suggested_lines,
  MAX(d.composer_accepted_lines) AS composer_accepted_lines
FROM daily_edit_stats AS d
LEFT JOIN source_groups AS g
  ON g.machine_id = d.machine_id AND g.source_id = d.source_id
GROUP BY
  d.machine_id,
  COALESCE(g.first_source_id, d.source_id),
  d.date;
