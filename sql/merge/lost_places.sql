-- Marks the stores in _lost_places (source_id, store, kind, id) as gone, in the list of places of their conversations. The rows of these stay. A store is the folder of a
-- chat, or a transcript.
-- The variable load_started_at is the start of the load.
UPDATE conversation_sources AS o SET deleted_at = getvariable('load_started_at') FROM temp._lost_places s
WHERE o.source_id = s.source_id AND o.conversation_id = s.id AND o.path IN (s.store, s.store || '/store.db') AND o.deleted_at IS NULL;
DROP TABLE temp._lost_places;
