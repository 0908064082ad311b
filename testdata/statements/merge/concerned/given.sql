-- Table: code_diffs
-- What names the conversation of a code_diff is keyed_by.
INSERT INTO code_diffs (source_id, diff_id, conversation_id, keyed_by) VALUES ('s1', 'd1', 'c1', 'c2'), ('s2', 'd2', 'c3', 'c3');
INSERT INTO _changed VALUES ('s1', 'c1'), ('s1', 'c3');
