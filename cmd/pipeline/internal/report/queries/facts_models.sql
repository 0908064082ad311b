-- What the page computes with for other periods and projects: answers of each day, project and model.
SELECT day, project_uri, model, answers
FROM report.models
WHERE true /* the period and the projects */
ORDER BY day DESC, project_uri, model;
