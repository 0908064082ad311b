-- The projects that any part of the page names, in the order of their URIs.
SELECT project_uri, any_value(project) AS project
FROM (
    SELECT project_uri, project, day FROM report.activity
    UNION ALL
    SELECT project_uri, project, day FROM report.conversations
    UNION ALL
    SELECT project_uri, project, day FROM report.sessions
    UNION ALL
    SELECT project_uri, project, day FROM report.files
    UNION ALL
    SELECT project_uri, project, day FROM report.billed
)
WHERE project_uri IS NOT NULL AND true /* the period and the projects */
GROUP BY project_uri
ORDER BY project_uri;
