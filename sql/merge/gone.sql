-- Stages the rows of a table that belong to a conversation in _changed and are not staged: the store no longer has them. They keep every value, get
-- deleted_at and lose their position. The variable load_started_at is the start of the load. The variable changed_conversations has the ids in _changed
-- if there are few, else NULL: a scan then reads only the id of the other rows. The rows are found by their keys, and read by their places: usually there is none, and
-- then nobody reads the large columns.
--
-- The rows are inserted again: an UPDATE to NULL would leave statistics with which IS NOT NULL wrongly finds rows (engine 1.4.1).
INSERT INTO temp.stage_{{.Name}}
SELECT o.* REPLACE (coalesce(o.deleted_at, getvariable('load_started_at')) AS deleted_at{{if .Has "position"}}, NULL::BIGINT AS position{{end}})
FROM {{.Name}} o SEMI JOIN (
  SELECT o.rowid AS place FROM {{.Name}} o
  SEMI JOIN _changed c ON c.source_id = o.source_id AND c.conversation_id = o.{{.ScopeColumn}}
  WHERE (getvariable('changed_conversations') IS NULL OR list_contains(getvariable('changed_conversations'), o.{{.ScopeColumn}}))
    AND (o.deleted_at IS NULL{{if .Has "position"}} OR o.position IS NOT NULL{{end}})
    AND NOT EXISTS (FROM temp.stage_{{.Name}} s WHERE {{same "s" "o" .Table}})
) g ON g.place = o.rowid;
