-- Accepted of decided edits by model, those with 20 decided edits or more first.
SELECT model, sum(accepted) / nullif(sum(decided), 0) AS acceptance, sum(accepted) AS accepted, sum(decided) AS decided, sum(edits) AS edits,
       sum(lines_added) AS lines_added, sum(lines_removed) AS lines_removed
FROM report.edits
WHERE true /* the period and the projects */
GROUP BY model
ORDER BY sum(decided) < 20, acceptance DESC NULLS LAST, sum(edits) DESC, model;
