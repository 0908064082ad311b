CREATE TEMP TABLE raw AS FROM (VALUES
  -- Three bubbles of 10, 20 and 1 bytes after part 2; one of them ends in part 3, one is a byte 0, and one is NULL.
  ('s1', 'global', 'bubbleId', 1, 9, 'text', 10, 'x'::BLOB), ('s1', 'global', 'bubbleId', 2, 3, 'text', 20, 'x'::BLOB), ('s1', 'global', 'bubbleId', 1, 9, 'blob', 1, '\x00'::BLOB),
  ('s1', 'global', 'bubbleId', 1, 9, 'null', 0, NULL),
  -- It comes later, it is another source's, and it is the file that names a folder.
  ('s1', 'global', 'composerData', 3, 9, 'text', 5, 'x'::BLOB), ('s2', 'global', 'bubbleId', 1, 9, 'text', 10, 'x'::BLOB), ('s1', 'workspace/w', 'workspace.json', 1, 9, 'text', 10, 'x'::BLOB)
) v(source_id, store, family, seq, ends, value_type, value_bytes, value);
