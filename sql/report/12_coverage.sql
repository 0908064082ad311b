-- How much of what could be recorded is recorded?
-- One row per source and measure, as view coverage has it. To sum over sources: SELECT measure, sum(known), sum(total) FROM report.coverage GROUP BY measure.
-- Coverage: of the live rows (total), known record the measure; of_what says what these rows are.
CREATE OR REPLACE VIEW report.coverage AS
SELECT source_id, measure, known, total, of_what
FROM main.coverage;
COMMENT ON VIEW report.coverage IS 'For each source and measure: of total live rows, known ones record it.';
