-- Who is in a session, and when a conversation starts. All twenty minutes apart: a conversation left out would hold the next one.
INSERT INTO conversations (conversation_id, project_uri, project, project_source, created_at, updated_at, is_draft, status, deleted_at) VALUES
    ('a1', 'file:///a', 'a', 'composer', '2025-03-10 09:00:00+00', NULL, false, 'completed', NULL),
    ('a2 empty draft', 'file:///a', 'a', 'composer', '2025-03-10 09:20:00+00', NULL, true, 'none', NULL),
    ('a3', 'file:///a', 'a', 'composer', '2025-03-10 09:40:00+00', NULL, false, 'completed', NULL),
    ('a4 deleted', 'file:///a', 'a', 'composer', '2025-03-10 10:00:00+00', NULL, false, 'completed', '2025-06-01 00:00:00+00'),
    ('a5', 'file:///a', 'a', 'composer', '2025-03-10 10:20:00+00', NULL, false, NULL, NULL),
    ('a6 orphan', 'file:///a', 'a', 'composer', '2025-03-10 10:40:00+00', NULL, false, 'orphaned', NULL),
    ('a7', 'file:///a', 'a', 'composer', '2025-03-10 11:00:00+00', NULL, false, 'completed', NULL),
    ('a8 draft with message', 'file:///a', 'a', 'composer', '2025-03-10 11:20:00+00', NULL, true, 'none', NULL),
    ('a9', 'file:///a', 'a', 'composer', '2025-03-10 11:40:00+00', NULL, false, 'completed', NULL),
    -- start: created_at, else first_message_at, else updated_at, else none
    ('b1', 'file:///b', 'b', 'composer', '2025-03-10 09:00:00+00', '2025-03-10 12:00:00+00', false, NULL, NULL),
    ('b2', 'file:///b', 'b', 'composer', NULL, '2025-03-10 12:00:00+00', false, NULL, NULL),
    ('b3', 'file:///b', 'b', 'composer', NULL, '2025-03-10 12:00:00+00', false, NULL, NULL),
    ('b4', 'file:///b', 'b', 'composer', NULL, NULL, false, NULL, NULL);
UPDATE conversations SET missing_message_count = 0 WHERE conversation_id IN ('a2 empty draft', 'a8 draft with message');
INSERT INTO conversations (conversation_id, project_uri, project, project_source, created_at, missing_message_count) VALUES
    ('a2b blank', 'file:///a', 'a', 'composer', '2025-03-10 09:21:00+00', 0),
    ('a9b message missing', 'file:///a', 'a', 'composer', '2025-03-10 12:30:00+00', 1);
INSERT INTO messages (conversation_id, message_id, position, created_at, created_at_source) VALUES
    ('a6 orphan', 'm', 0, '2025-03-10 10:40:00+00', 'message'),
    ('a8 draft with message', 'm', 0, NULL, NULL),
    ('b1', 'm', 0, '2025-03-10 08:00:00+00', 'message'),
    ('b2', 'm', 0, '2025-03-10 10:00:00+00', 'message');
