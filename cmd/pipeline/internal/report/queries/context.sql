-- How full the context window of a conversation is at its last turn, in steps of a tenth.
WITH shares AS (
    SELECT CASE WHEN share IS NOT NULL THEN TRY_CAST(least(floor(share * 10), 10) AS BIGINT) END AS step
    FROM report.context
    WHERE true /* the period and the projects */
)
SELECT CASE WHEN s.step IS NULL THEN NULL WHEN s.step = 10 THEN '100 % and more' ELSE 10 * s.step || ' to ' || 10 * (s.step + 1) || ' %' END AS context_used,
       count(c.known) AS conversations, CASE WHEN s.step IS NOT NULL THEN count(c.known) END AS known
FROM (SELECT unnest(range(0, 11)) AS step UNION ALL SELECT NULL) s
LEFT JOIN (SELECT step, true AS known FROM shares) c ON c.step IS NOT DISTINCT FROM s.step
GROUP BY s.step
ORDER BY s.step NULLS LAST;
