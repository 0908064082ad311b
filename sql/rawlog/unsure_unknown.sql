-- Adds the owners in _doubted that the warehouse does not know, with the mark of unsure.sql. $transform_version is that of this tool.
INSERT INTO _owners BY NAME
SELECT d.source_id, d.store, d.kind, d.id, '' AS workspace_id, '?' AS fingerprint, '' AS content_hash, $transform_version AS transform_version, 0 AS load_id
FROM temp._doubted d
ANTI JOIN _owners o ON d.source_id = o.source_id AND d.store = o.store AND d.kind = o.kind AND d.id = o.id;
