-- What the page computes with for other periods and projects: edits of each day, project and file.
SELECT day, project_uri, file, edits, lines_known, lines_added, lines_removed
FROM report.files
WHERE true /* the period and the projects */
ORDER BY day DESC, project_uri, file;
