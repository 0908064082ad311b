-- Returns for how many live messages the store recorded a time, a model and tokens. It reads the view coverage.
SELECT measure, TRY_CAST(sum(known) AS BIGINT), TRY_CAST(sum(total) AS BIGINT)
FROM coverage
WHERE measure IN ('message_time', 'message_model', 'message_tokens')
GROUP BY measure
ORDER BY measure;
