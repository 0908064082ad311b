-- How much of what could be recorded is recorded, over all sources. What could be recorded nowhere is left out.
SELECT replace(measure, '_', ' ') AS measure, sum(known) / nullif(sum(total), 0) AS share, sum(known) AS known, sum(total) AS total,
       any_value(of_what) AS of_what
FROM report.coverage
GROUP BY report.coverage.measure
HAVING sum(total) > 0
ORDER BY share DESC NULLS LAST, report.coverage.measure;
