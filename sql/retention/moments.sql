-- Makes _moments (source_id, conversation_id, seq): the moments just before a row of a conversation was deleted. The tables keep the values that the
-- rows of the raw layer had at that moment, so retention keeps these versions. seq is the last part that was written before the load that found the
-- deletion. It reads deleted_at of every table of conversations, and _replays (seq, started_at): when each load began, and the last part before it.
CREATE OR REPLACE TEMP TABLE _moments AS
SELECT DISTINCT d.source_id, d.conversation_id, r.seq
FROM ({{range $i, $t := deletable}}{{if $i}}
  UNION{{end}}
  SELECT DISTINCT source_id, {{.ScopeColumn}} AS conversation_id, deleted_at FROM {{.Name}} WHERE deleted_at IS NOT NULL{{end}}
) d
ASOF JOIN (SELECT started_at, min(seq) AS seq FROM temp._replays GROUP BY started_at) r ON r.started_at >= d.deleted_at;
