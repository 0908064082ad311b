-- What the page computes with for other periods and projects: edits of each day, project and model.
SELECT day, project_uri, model, edits, decided, accepted, lines_added, lines_removed
FROM report.edits
WHERE true /* the period and the projects */
ORDER BY day DESC, project_uri, model;
