-- What the page computes with for other periods and projects: what Cursor counted on each day, by project and model, and estimates.
SELECT day, project_uri, model, events, with_tokens, with_cost, with_charge, with_conversation, input_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents, estimated_turns, estimated_with_cost,
       estimated_cost_cents
FROM report.billed
WHERE true /* the period and the projects */
ORDER BY day DESC, project_uri, model;
