-- Merges what a load reads of a whole store: shared documents, and prompts. _stores says which stores were read whole (complete), and for which the
-- shared rows are to be stored again (changed). Prompts that a whole store lacks are marked as deleted; the staged ones replace theirs after this. The
-- variable load_started_at is the start of the load.
DELETE FROM _known_documents AS o USING temp._stores s WHERE s.changed AND o.source_id = s.source_id AND o.store = s.store;
UPDATE prompts AS o SET deleted_at = getvariable('load_started_at') FROM temp._stores s
WHERE s.complete AND o.source_id = s.source_id AND o.workspace_id = s.workspace_id AND o.deleted_at IS NULL
  AND NOT EXISTS (FROM temp.stage_prompts p WHERE p.source_id = o.source_id AND p.workspace_id = o.workspace_id AND p.prompt_id = o.prompt_id);
INSERT INTO _known_documents FROM temp.stage__known_documents;
