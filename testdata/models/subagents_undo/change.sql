-- Only p changed: it names no subagent any more.
DELETE FROM _subagent_claims WHERE claimed_by = 'p';
INSERT INTO _changed VALUES ('s1', 'p');
INSERT INTO _changed_groups VALUES ('s1', 'file:///p');
