-- What the page computes with for other periods and projects: how far the prompts of each day and project got.
SELECT day, project_uri, prompts, replied, called_tools, proposed_edits, decided_edits, accepted_edits, committed, commits_known
FROM report.funnel
WHERE true /* the period and the projects */
ORDER BY day DESC, project_uri;
