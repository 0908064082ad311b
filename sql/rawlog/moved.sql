-- Updates the rowids of the rows of _known_rows that are in _moved. The other columns of _moved find the row.
UPDATE _known_rows AS o SET row_id = s.row_id FROM temp._moved s
WHERE o.source_id = s.source_id AND o.store = s.store AND o.conversation_id = s.conversation_id AND o.table_name = s.table_name
  AND o.key = s.key AND o.key_type = s.key_type AND o.key_bytes IS NOT DISTINCT FROM s.key_bytes AND o.hash IS NOT DISTINCT FROM s.hash;
DROP TABLE temp._moved;
