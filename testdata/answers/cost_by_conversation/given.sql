-- Conversation a cost 30 cents by two models; b has requests without a cost; z was free, which is a cost of 0. A deleted figure, a deleted
-- conversation and a model with neither figure are no rows. In the other source the conversation of the same id cost 50 cents.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, cost_cents, deleted_at) VALUES
    ('s1', 'a', 'Shared', 30, NULL), ('s1', 'b', 'Counted', NULL, NULL), ('s1', 'z', 'Free', 0, NULL), ('s1', 'none', 'Unknown', NULL, NULL),
    ('s1', 'gone', 'Gone', 99, '2025-06-01 00:00:00+00'), ('s2', 'a', 'Elsewhere', 50, NULL);
INSERT INTO model_usage (source_id, conversation_id, model, cost_cents, requests, deleted_at) VALUES
    ('s1', 'a', 'gpt-4o', 10, 4, NULL), ('s1', 'a', 'sonnet', 20, NULL, NULL), ('s1', 'a', 'old', 70, 7, '2025-06-01 00:00:00+00'),
    ('s1', 'b', 'gpt-4o', NULL, 3, NULL), ('s1', 'b', 'sonnet', NULL, NULL, NULL), ('s1', 'z', 'gpt-4o', 0, 1, NULL),
    ('s1', 'gone', 'gpt-4o', 99, 1, NULL), ('s2', 'a', 'sonnet', 50, 5, NULL);
