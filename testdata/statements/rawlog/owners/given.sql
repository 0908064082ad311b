CREATE TEMP TABLE events AS FROM (VALUES
  -- Two rows of 10 and 20 bytes after part 2; one of them ends in part 3.
  ('s1', 'global', 'c1', 'k1', 1, 9, 10, true), ('s1', 'global', 'c1', 'k2', 2, 3, 20, true),
  -- It is gone since part 2.
  ('s1', 'global', 'c2', 'k3', 1, 2, 10, true), ('s1', 'global', 'c2', 'k3', 2, 9, 0, false),
  -- It comes later.
  ('s1', 'global', 'c3', 'k4', 3, 9, 10, true),
  ('s1', 'workspace/w', 'c1', 'k5', 1, 9, 5, true), ('s2', 'global', 'c1', 'k6', 1, 9, 10, true)
) v(source_id, store, conversation_id, ident, seq, ends, value_bytes, there);
