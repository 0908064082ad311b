-- Marks the owners in _doubted: what the raw layer holds of them may differ from what the warehouse remembers. The next run that sees them compares every row.
UPDATE _owners AS o SET is_unsure = true
FROM temp._doubted d
WHERE d.source_id = o.source_id AND d.store = o.store AND d.kind = o.kind AND d.id = o.id;
