-- root has two subagents, k1 and k2; k1 has one itself (g). x and y are each other's parent; lone has none that anybody knows; the parent of late was deleted;
-- dead is deleted. In the other source the same ids are another tree. The second call names k2 and its type; k1 names the call of its parent, which names
-- nobody, and which has an id of two parts; g has a type of its own. In the other source a call has its type
-- only as the model wrote it, and one that says unspecified has a name.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, mode, model, status, lines_added, lines_removed, files_changed, created_at, deleted_at) VALUES
    ('s1', 'root', 'Build it', 'agent', 'gpt-5', 'completed', 50, 5, 4, '2025-03-10 09:00:00+00', NULL),
    ('s1', 'k1', 'Look around', 'agent', 'gpt-5', 'completed', NULL, NULL, NULL, '2025-03-10 09:02:00+00', NULL),
    ('s1', 'k2', 'Write it', 'agent', NULL, 'aborted', 40, 0, 2, '2025-03-10 09:01:00+00', NULL),
    ('s1', 'g', 'Look closer', 'agent', NULL, 'completed', NULL, NULL, NULL, NULL, NULL),
    ('s1', 'x', 'X', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), ('s1', 'y', 'Y', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ('s1', 'lone', 'Lone', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ('s1', 'old', 'Old', NULL, NULL, NULL, NULL, NULL, NULL, '2025-03-01 09:00:00+00', '2025-06-01 00:00:00+00'),
    ('s1', 'late', 'Late', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ('s1', 'dead', 'Dead', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2025-06-01 00:00:00+00'),
    ('s2', 'root', 'Another', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL), ('s2', 'k1', 'Another one', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO _subagent_claims (source_id, conversation_id, claimed_by, rank, parent_conversation_id) VALUES
    ('s1', 'k1', 'k1', 0, 'root'), ('s1', 'k2', 'root', 2, 'root'), ('s1', 'g', 'g', 0, 'k1'), ('s1', 'x', 'x', 0, 'y'), ('s1', 'y', 'y', 0, 'x'),
    ('s1', 'lone', 'lone', 1, NULL), ('s1', 'late', 'late', 0, 'old'), ('s1', 'dead', 'dead', 0, 'root'), ('s2', 'k1', 'k1', 0, 'root');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, kind, created_at) VALUES
    ('s1', 'root', 'm0', 0, 'assistant', 'tool_call', '2025-03-10 09:00:10+00'), ('s1', 'root', 'm1', 1, 'assistant', 'tool_call', '2025-03-10 09:00:20+00'),
    ('s1', 'k1', 'm0', 0, 'assistant', 'tool_call', '2025-03-10 09:02:00+00'), ('s1', 'k1', 'm1', 1, 'assistant', 'tool_call', '2025-03-10 09:02:30+00'),
    ('s1', 'k1', 'm2', 2, 'assistant', 'tool_call', '2025-03-10 09:03:00+00');
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool_number, tool, tool_kind, is_error, params, result) VALUES
    ('s1', 'root', 'm0', 0, 48, 'task', 'task', true, '{"subagentType":"explore"}', NULL),
    ('s1', 'root', 'm1', 1, 48, 'task', 'task', false, '{"subagentType":"generalPurpose"}', '{"agentId":"k2"}'),
    ('s1', 'k1', 'm0', 0, 40, 'read_file', 'read', false, '{}', '{"agentId":"k1"}'),
    ('s1', 'k1', 'm1', 1, 40, 'read_file', 'read', true, '{}', NULL),
    ('s1', 'k1', 'm2', 2, 40, 'read_file', 'read', NULL, '{}', NULL);
UPDATE tool_calls SET subagent_id = 'k2' WHERE message_id = 'm1' AND conversation_id = 'root';
INSERT INTO messages (source_id, conversation_id, message_id, position, role, kind) VALUES ('s1', 'root', 'm2', 2, 'assistant', 'tool_call'), ('s1', 'k1', 'm3', 3, 'assistant', 'tool_call');
INSERT INTO tool_calls (source_id, conversation_id, message_id, position, tool, tool_kind, tool_call_id, params) VALUES
    ('s1', 'root', 'm2', 2, 'Subagent', 'task', 'call-1' || chr(10) || 'fc-1', '{"subagentType":"shell"}'), ('s1', 'k1', 'm3', 3, 'task', 'task', 'call-2', '{"subagentType":"asked for"}');
UPDATE conversations SET subagent_tool_call_id = 'call-1' WHERE source_id = 's1' AND conversation_id = 'k1';
UPDATE conversations SET subagent_tool_call_id = 'call-2', subagent_type = 'its own' WHERE source_id = 's1' AND conversation_id = 'g';
INSERT INTO conversations (source_id, conversation_id, title, created_at) VALUES ('s2', 'k3', 'Named', '2025-03-10 09:02:00+00');
INSERT INTO _subagent_claims (source_id, conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('s2', 'k3', 'k3', 0, 'root');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, kind) VALUES ('s2', 'root', 'm0', 0, 'assistant', 'tool_call'), ('s2', 'k3', 'm0', 0, 'assistant', 'text');
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, subagent_id, params, raw_args) VALUES
    ('s2', 'root', 'm0', 0, 0, 'task', 'task', 'k1', '{"description":"look"}', '{"description":"look","subagent_type":"explore"}'),
    ('s2', 'root', 'm0', 1, 0, 'spawn_agent', 'other', 'k3', '{"subagentType":"unspecified","name":"general-purpose"}', NULL);
