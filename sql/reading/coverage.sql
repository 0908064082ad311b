-- Returns for how many live messages the store recorded a time, a model and tokens: these measures of the view coverage, over all sources. Of conversations and their copies it
-- reads only what says which are live, and it returns nothing while no source has conversations.
SELECT x.measure, x.known, x.total
FROM (
  SELECT count(*) AS total, count(*) FILTER (WHERE m.role = 'assistant') AS answers,
    count(*) FILTER (WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS real_time,
    count(m.model) FILTER (WHERE m.role = 'assistant') AS model,
    count(*) FILTER (WHERE m.role = 'assistant' AND (m.input_tokens IS NOT NULL OR m.output_tokens IS NOT NULL)) AS tokens
  FROM messages m
  SEMI JOIN (
    SELECT c.source_id, c.conversation_id
    FROM conversations c
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
    WHERE c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned'
  ) l ON l.source_id = m.source_id AND l.conversation_id = m.conversation_id
  WHERE m.deleted_at IS NULL
) f
CROSS JOIN LATERAL (VALUES ('message_model', f.model, f.answers), ('message_time', f.real_time, f.total), ('message_tokens', f.tokens, f.answers)) AS x(measure, known, total)
WHERE EXISTS (FROM sources WHERE app NOT IN ('git', 'ai-tracking', 'plans', 'usage'))
ORDER BY x.measure;
