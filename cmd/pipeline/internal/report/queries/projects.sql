-- Active time of each project, with its sessions and its last day with a message. Time that two projects share counts for both.
SELECT any_value(project) AS project, sum(active_ms) AS active_ms, coalesce(sum(sessions), 0) AS sessions, coalesce(sum(prompts), 0) AS prompts, coalesce(sum(conversations), 0) AS conversations,
       max(day) FILTER (WHERE messages > 0) AS last_day, coalesce(sum(messages), 0) AS messages, coalesce(sum(real_times), 0) AS real_times, project_uri
FROM (
    SELECT day, project_uri, project, active_ms, prompts, conversations, messages, real_times
    FROM report.activity
    WHERE true /* the period and the projects */
    UNION ALL BY NAME
    SELECT day, project_uri, project, 1 AS sessions
    FROM report.sessions
    WHERE true /* the period and the projects */
)
GROUP BY project_uri
ORDER BY active_ms DESC NULLS LAST, messages DESC, project_uri;
