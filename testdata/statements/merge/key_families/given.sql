-- Load 1 has two rows of a key that is named like a family; so has load 2, of two stores, and none of them was loaded.
INSERT INTO key_families (load_id, source_id, store, family, rows, null_rows, bytes_read, handling) VALUES
  (1, 's1', 'global', 'bubbleId', 10, 2, 100, 'loaded'), (1, 's1', 'global', 'bubbleId', 1, 0, 0, 'unknown'), (1, 's1', 'global', 'composerData', 3, 0, 30, 'loaded'),
  (2, 's1', 'global', 'secret', 4, 0, 0, 'unknown'), (2, 's1', 'global', 'secret', 5, 0, 0, 'refused'), (2, 's1', 'workspace/w', 'secret', 6, 0, 0, 'refused');
