-- Answers by week (its Monday) and the model that they name.
SELECT CAST(date_trunc('week', day) AS DATE) AS week, model, sum(answers) AS answers, CASE WHEN model IS NOT NULL THEN sum(answers) END AS named
FROM report.models
WHERE true /* the period and the projects */
GROUP BY week, model
ORDER BY week DESC, model IS NULL, answers DESC, model;
