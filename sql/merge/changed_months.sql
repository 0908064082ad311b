-- Notes in _changes the months that the staged rows of a table leave and come to, and for tool calls, which are where their messages are, those between which a message moves.
-- It runs before they take the place of others. The variable load_id is the load.
INSERT INTO _changes
SELECT getvariable('load_id'), r.table_name, r.month, r.source_id, r.conversation_id
FROM (
{{- if .HasOwnMonth}}
  WITH pairs AS (
    SELECT s.source_id, s.conversation_id, {{month "s"}} AS month, if(o.message_id IS NULL, NULL, {{month "o"}}) AS was
    FROM temp.stage_{{.Name}} s LEFT JOIN {{.Name}} o ON {{same "o" "s" .Table}}
  )
  SELECT '{{.Name}}' AS table_name, source_id, conversation_id, unnest([month, coalesce(was, month)]) AS month FROM pairs
  UNION
  SELECT 'tool_calls', source_id, conversation_id, unnest([month, was]) FROM pairs WHERE was <> month
{{- else}}
  SELECT DISTINCT '{{.Name}}' AS table_name, s.source_id, s.conversation_id, {{month "m"}} AS month FROM temp.stage_{{.Name}} s
  LEFT JOIN messages m ON m.source_id = s.source_id AND m.conversation_id = s.conversation_id AND m.message_id = s.message_id
{{- end}}
) r
EXCEPT FROM _changes;
