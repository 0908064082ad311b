-- Lists the old names of projects, with the new ones, and how many conversations have the old one in their row, also deleted ones.
SELECT a.project_uri, coalesce(a.new_project_uri, a.alias_of), count(c.conversation_id)
FROM project_aliases a
LEFT JOIN conversations c ON c.project_uri = a.project_uri
GROUP BY ALL
ORDER BY ALL;
