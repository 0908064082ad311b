-- Where no claim names a parent, it is the conversation with the call that started the subagent: of several the one that began first, whatever the call's id has behind a line end or its escape. A chat whose other call has the id by chance is none.
INSERT INTO conversations (conversation_id, created_at, subagent_tool_call_id) VALUES
    ('fork', '2025-03-11 09:00:00+00', NULL), ('parent', '2025-03-10 09:00:00+00', NULL), ('without a time', NULL, NULL), ('reader', '2025-03-01 09:00:00+00', NULL),
    ('child', NULL, 'call_1' || chr(10) || 'fc_1'), ('named', NULL, 'call_1'), ('unknown', NULL, 'call_2'), ('no claim', NULL, 'call_1');
INSERT INTO tool_calls (conversation_id, message_id, call_index, tool_kind, tool_call_id) VALUES
    ('fork', 'm', 0, 'task', 'call_1\nfc_1'), ('parent', 'm', 0, 'task', 'call_1'), ('without a time', 'm', 0, 'task', 'call_1'), ('child', 'm', 0, 'task', 'call_1'), ('unknown', 'm', 0, 'task', 'call_2'), ('reader', 'm', 0, 'read', 'call_1');
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES
    ('child', 'child', 1, NULL), ('named', 'named', 0, 'fork'), ('unknown', 'unknown', 1, NULL);
