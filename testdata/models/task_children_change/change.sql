-- A third call of two children, a second child of the calls that had one too few, and a child that is of another parent now.
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, raw_args) VALUES ('s', 'p', '#10', 1, 1, 'task', 'task', '{"prompt":"Test"}');
INSERT INTO conversations (source_id, conversation_id, format) VALUES ('s', 'more', 'transcript');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, text, created_at_source) VALUES ('s', 'more', '#1', 0, 'user', 'Mend', NULL);
INSERT INTO _subagent_claims (source_id, conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('s', 'more', 'more', 0, 'p');
UPDATE _subagent_claims SET parent_conversation_id = 'e' WHERE conversation_id = 'of-q';
INSERT INTO _changed VALUES ('s', 'p'), ('s', 'more'), ('s', 'of-q');
