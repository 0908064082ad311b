-- What did Cursor count on each day, each day once? Of sources that share a conversation (see source_groups) a day is one row, with the larger value of
-- each column, under the group's first source: a backup has the days of its laptop, as far as they were counted then.
CREATE OR REPLACE VIEW live_daily_edit_stats AS
SELECT coalesce(g.first_source_id, d.source_id) AS source_id, d.date,
       max(d.tab_suggested_lines) AS tab_suggested_lines,
       max(d.tab_accepted_lines) AS tab_accepted_lines,
       max(d.composer_suggested_lines) AS composer_suggested_lines,
       max(d.composer_accepted_lines) AS composer_accepted_lines
FROM daily_edit_stats d
LEFT JOIN source_groups g ON g.source_id = d.source_id
GROUP BY ALL;
COMMENT ON VIEW live_daily_edit_stats IS 'Daily figures of Cursor, a date once for sources that share conversations: the larger value of each column.';
