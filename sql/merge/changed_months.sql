-- Notes in _changes the months that the staged rows of a table leave and come to. It runs before they take the place of others. The variable load_id is
-- the load.
INSERT INTO _changes
SELECT getvariable('load_id'), '{{.Name}}', r.month, r.source_id, r.conversation_id
FROM (
{{- if .HasOwnMonth}}
  SELECT s.source_id, s.conversation_id, {{month "s"}} AS month FROM temp.stage_{{.Name}} s
  UNION
  SELECT o.source_id, o.conversation_id, {{month "o"}} FROM {{.Name}} o SEMI JOIN temp.stage_{{.Name}} s ON {{same "o" "s" .Table}}
{{- else}}
  SELECT DISTINCT s.source_id, s.conversation_id, {{month "m"}} AS month FROM temp.stage_{{.Name}} s
  LEFT JOIN messages m ON m.source_id = s.source_id AND m.conversation_id = s.conversation_id AND m.message_id = s.message_id
{{- end}}
) r;
