-- Adds the owners in _doubted that the warehouse does not know, as unsure. $transform_version is that of this tool.
INSERT INTO _owners BY NAME
SELECT d.source_id, d.store, d.kind, d.id, '' AS workspace_id, '' AS rows_hash, '' AS sizes_hash, '' AS facts_hash, '' AS content_hash, false AS is_copied, false AS is_listed, false AS is_elsewhere,
  false AS is_emptied, false AS is_lost, false AS is_gone, true AS is_unsure, false AS uses_earlier, $transform_version AS transform_version, 0 AS load_id
FROM temp._doubted d
ANTI JOIN _owners o ON d.source_id = o.source_id AND d.store = o.store AND d.kind = o.kind AND d.id = o.id;
