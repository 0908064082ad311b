-- Cost that Cursor counted, by project.
SELECT project, sum(cost_cents) AS cost_cents, sum(charged_cents) AS charged_cents,
       sum(cache_read_tokens) / nullif(sum(CAST(input_tokens AS DOUBLE) + cache_read_tokens), 0) AS cache_share, sum(output_tokens) AS output_tokens,
<<<<<<< HEAD
       sum(with_cost) AS with_cost, sum(events) AS events, sum(with_conversation) AS with_conversation, project_uri
FROM report.billed
=======
       sum(with_cost) AS with_cost, sum(events) AS events, sum(with_conversation) AS with_conversation
FROM report.billed
>>>>>>> f49f6017098a995a00ee950c600bf06ccae623f0
WHERE true /* the period and the projects */
GROUP BY project, project_uri
HAVING sum(events) > 0
ORDER BY cost_cents DESC NULLS LAST, project_uri;
