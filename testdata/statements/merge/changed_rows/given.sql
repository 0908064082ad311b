-- Table: code_diffs
INSERT INTO code_diffs (source_id, diff_id, keyed_by) VALUES ('s1', 'd1', 'c1'), ('s1', 'd2', 'c2'), ('s2', 'd3', 'c1');
INSERT INTO _changed VALUES ('s1', 'c1'), ('s1', 'c1');
SET VARIABLE changed_conversations = ['c1'];
-- One that was left is not read.
CREATE TEMP VIEW code_diffs AS SELECT 1 AS left_over;
