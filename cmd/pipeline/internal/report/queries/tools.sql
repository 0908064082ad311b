-- Failure rate of each tool, those with 20 known outcomes or more first.
SELECT tool, sum(failed) / nullif(sum(outcome_known), 0) AS failure_rate, sum(failed) AS failed, sum(outcome_known) AS outcome_known, sum(calls) AS calls
FROM report.tools
WHERE true /* the period and the projects */
GROUP BY tool
ORDER BY sum(outcome_known) < 20, failure_rate DESC NULLS LAST, calls DESC, tool;
