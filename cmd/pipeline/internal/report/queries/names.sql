-- The projects that any part of the page names, in the order of their URIs.
SELECT project_uri, any_value(project) AS project
FROM (
    SELECT project_uri, project, day FROM report_activity
    UNION ALL
    SELECT project_uri, project, day FROM report_conversations
    UNION ALL
    SELECT project_uri, project, day FROM report_sessions
    UNION ALL
    SELECT project_uri, project, day FROM report_files
    UNION ALL
    SELECT project_uri, project, day FROM report_billed
)
WHERE project_uri IS NOT NULL AND true /* the period and the projects */
GROUP BY project_uri
ORDER BY project_uri;
