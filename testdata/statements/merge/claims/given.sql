-- Table: _subagent_claims
INSERT INTO conversations (conversation_id, deleted_at) VALUES ('c1', NULL), ('c2', '2025-06-10 00:00:00+00'), ('c3', NULL);
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES
  ('sub', 'c1', 2, 'old'), ('sub of c2', 'c2', 2, 'c2'), ('sub of c3', 'c3', 2, 'c3');
INSERT INTO _changed VALUES ('s1', 'c1'), ('s1', 'c2');
