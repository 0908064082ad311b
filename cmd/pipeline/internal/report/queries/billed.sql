-- Cost that Cursor counted, by week (its Monday), and beside it what is estimated of turns without an event.
SELECT CAST(date_trunc('week', day) AS DATE) AS week, sum(cost_cents) AS cost_cents, sum(charged_cents) AS charged_cents, sum(estimated_cost_cents) AS estimated_cost_cents,
       sum(input_tokens) AS input_tokens, sum(cache_read_tokens) AS cache_read_tokens, sum(output_tokens) AS output_tokens,
       sum(with_cost) AS with_cost, sum(events) AS events, sum(estimated_turns) AS estimated_turns, sum(estimated_with_cost) AS estimated_with_cost,
       greatest(sum(cost_cents), sum(estimated_cost_cents)) AS known_cents
FROM report.billed
WHERE true /* the period and the projects */
GROUP BY week
ORDER BY week DESC;
