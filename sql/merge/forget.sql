-- Deletes what is remembered of the owners in _forgotten (source_id, store, kind, id).
DELETE FROM _owners AS o USING temp._forgotten s
WHERE o.source_id = s.source_id AND o.store = s.store AND o.kind = s.kind AND o.id = s.id;
