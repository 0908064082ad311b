-- The files with most proposed edits; rejected ones are left out.
SELECT file, project, sum(edits) AS edits, sum(lines_added) AS lines_added, sum(lines_removed) AS lines_removed, sum(lines_known) AS lines_known, project_uri
FROM report.files
WHERE true /* the period and the projects */
GROUP BY project_uri, project, file
ORDER BY sum(edits) DESC, file, project_uri;
