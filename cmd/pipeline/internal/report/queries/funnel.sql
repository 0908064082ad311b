-- How far the prompts of the period got. Each step counts the turns that passed every step before; an accepted edit stands beside the chain.
WITH steps AS (
    SELECT sum(prompts) AS prompts, sum(replied) AS replied, sum(called_tools) AS called_tools, sum(proposed_edits) AS proposed_edits,
           sum(decided_edits) AS decided_edits, sum(accepted_edits) AS accepted_edits, sum(committed) AS committed, sum(commits_known) AS commits_known
    FROM report.funnel
    WHERE true /* the period and the projects */
), rows AS (
    SELECT 1 AS step, 'prompt' AS reached, prompts AS turns, NULL AS decided, NULL AS commits_known, NULL AS proposed FROM steps
    UNION ALL SELECT 2, 'reply', replied, NULL, NULL, NULL FROM steps
    UNION ALL SELECT 3, 'tool call', called_tools, NULL, NULL, NULL FROM steps
    UNION ALL SELECT 4, 'proposed edit', proposed_edits, NULL, NULL, proposed_edits FROM steps
    UNION ALL SELECT 5, 'accepted edit', CASE WHEN decided_edits > 0 THEN accepted_edits END, decided_edits, NULL, NULL FROM steps
    UNION ALL SELECT 6, 'commit', committed, NULL, coalesce(commits_known, 0), NULL FROM steps
)
SELECT reached, turns, turns / nullif(first_value(turns) OVER (ORDER BY step), 0) AS of_prompts, decided, commits_known, proposed,
       CASE WHEN turns IS NULL AND step = 5 THEN 'no decision is recorded' WHEN turns IS NULL AND step = 6 THEN 'no repository was read' END AS missing
FROM rows
ORDER BY step;
