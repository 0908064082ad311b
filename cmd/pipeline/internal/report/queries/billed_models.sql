-- Cost that Cursor counted, by model.
SELECT model, sum(cost_cents) AS cost_cents, sum(charged_cents) AS charged_cents,
       sum(cache_read_tokens) / nullif(sum(CAST(input_tokens AS DOUBLE) + cache_read_tokens), 0) AS cache_share, sum(output_tokens) AS output_tokens,
       sum(with_cost) AS with_cost, sum(events) AS events
FROM report.billed
WHERE true /* the period and the projects */
GROUP BY model
HAVING sum(events) > 0
ORDER BY cost_cents DESC NULLS LAST, model;
