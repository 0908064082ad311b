-- A difference whose key names no conversation belongs to the edit that names it: a live one first, then the smaller conversation id.
INSERT INTO conversations (conversation_id) VALUES ('a'), ('b'), ('c');
INSERT INTO code_diffs (source_id, diff_id, conversation_id, keyed_by) VALUES
    ('s1', 'by key', 'c', 'c'), ('s1', 'by edit', NULL, ''), ('s1', 'by two', NULL, ''), ('s1', 'by a live one', NULL, ''), ('s1', 'by a deleted one', NULL, ''),
    ('s1', 'by none', NULL, ''), ('s2', 'by edit', NULL, '');
INSERT INTO code_edits (edit_id, conversation_id, diff_id, deleted_at) VALUES
    ('e1', 'a', 'by key', NULL), ('e2', 'b', 'by edit', NULL), ('e3', 'b', 'by two', NULL), ('e4', 'a', 'by two', NULL),
    ('e5', 'a', 'by a live one', '2025-06-01 00:00:00+00'), ('e6', 'b', 'by a live one', NULL),
    ('e7', 'c', 'by a deleted one', '2025-06-01 00:00:00+00'), ('e8', 'c', NULL, NULL);
