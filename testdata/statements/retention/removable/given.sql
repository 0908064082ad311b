-- Part n began on the n-th of June. What began before the fifth is old.
CREATE TEMP TABLE _seqs AS SELECT i AS seq, TIMESTAMPTZ '2025-06-01 00:00:00+00' + INTERVAL 1 DAY * (i - 1) AS started_at FROM range(1, 9) r(i);
SET VARIABLE retention_before = epoch_ms(TIMESTAMPTZ '2025-06-05 00:00:00+00');
SET VARIABLE retention_whole = ['(kept)'];
CREATE TEMP TABLE _moments (source_id VARCHAR, conversation_id VARCHAR, seq BIGINT);
CREATE TEMP TABLE given AS FROM (VALUES
  -- a, b, c: the first two were superseded before the fifth; the last one stays.
  ('c1', 'plain', 'a', 1, 10, false), ('c1', 'plain', 'b', 2, 10, false), ('c1', 'plain', 'c', 4, 10, false),
  -- b was superseded on the fifth: that is too late.
  ('c1', 'late', 'a', 1, 10, false), ('c1', 'late', 'b', 2, 10, false), ('c1', 'late', 'c', 5, 10, false),
  -- It has one version.
  ('c1', 'one', 'a', 1, 10, false),
  -- It is gone: the last value that it had stays, the earlier one goes.
  ('c1', 'gone', 'a', 1, 10, false), ('c1', 'gone', 'b', 2, 10, false), ('c1', 'gone', NULL, 3, 0, true),
  -- a came back as the present one: its value, which is stored in part 1, stays. b goes.
  ('c1', 'back', 'a', 1, 10, false), ('c1', 'back', 'b', 2, 10, false), ('c1', 'back', 'a', 3, 10, true),
  -- a came back and was superseded again in time: it goes, and is listed where it is stored; the mark is not listed.
  ('c1', 'twice', 'a', 1, 10, false), ('c1', 'twice', 'b', 2, 10, false), ('c1', 'twice', 'a', 3, 10, true), ('c1', 'twice', 'c', 4, 10, false),
  -- a came back and was superseded too late.
  ('c1', 'twice late', 'a', 1, 10, false), ('c1', 'twice late', 'b', 2, 10, false), ('c1', 'twice late', 'a', 3, 10, true), ('c1', 'twice late', 'c', 6, 10, false),
  -- It was gone and came in the same part.
  ('c1', 'same part', 'a', 1, 10, false), ('c1', 'same part', NULL, 2, 0, true), ('c1', 'same part', 'b', 2, 10, false), ('c1', 'same part', 'c', 3, 10, false),
  -- What holds nothing stays.
  ('c1', 'empty', 'a', 1, 1, false), ('c1', 'empty', 'b', 2, 10, false), ('c1', 'empty', 'c', 3, 10, false),
  -- It was quarantined.
  ('c1', 'refused', 'a', 1, 10, false), ('c1', 'refused', 'b', 2, 10, false),
  -- Something of c2 was deleted by the load after part 2: the version of then stays, the one before it goes.
  ('c2', 'read', 'a', 1, 10, false), ('c2', 'read', 'b', 2, 10, false), ('c2', 'read', 'c', 3, 10, false),
  -- Two conversations have a row of this key, one after the other, each with one version.
  ('c3', 'shared', 'a', 1, 10, false), ('c4', 'shared', 'b', 2, 10, false),
  -- Every version of this owner stays.
  ('(kept)', 'kept', 'a', 1, 10, false), ('(kept)', 'kept', 'b', 2, 10, false)
) v(conversation_id, key, hash, seq, value_bytes, is_mark);
INSERT INTO _known_rows BY NAME
SELECT 's1' AS source_id, 'global' AS store, 'T' AS table_name, 'text' AS key_type, 'f' || seq AS raw_file, * FROM given;
-- Keys that are not UTF-8 may have one text: their bytes tell them apart. Each has one version.
INSERT INTO _known_rows (source_id, store, table_name, conversation_id, key, key_type, key_bytes, hash, is_mark, seq, value_bytes, raw_file) VALUES
  ('s1', 'global', 'T', 'c1', 'bytes', 'blob', '\x00', 'a', false, 1, 10, 'f1'), ('s1', 'global', 'T', 'c1', 'bytes', 'blob', '\x01', 'b', false, 2, 10, 'f2'),
-- Rows without a key are never told apart.
  ('s1', 'global', 'T', 'c1', '', 'null', NULL, 'a', false, 1, 10, 'f1'), ('s1', 'global', 'T', 'c1', '', 'null', NULL, 'b', false, 2, 10, 'f2');
INSERT INTO quarantine (source_id, store, key) VALUES ('s1', 'global', 'refused');
INSERT INTO _moments VALUES ('s1', 'c2', 2);
