-- gpt-5 in project site: contexts of 10, 20 and 60 thousand tokens (the last without the window's size), one not recorded; a deleted one is
-- left out, one of the other source with the same id is not. A window of size 0 is none.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, project_uri, project, model, context_tokens_used, context_token_limit, deleted_at) VALUES
    ('s1', 'a', 'file:///site', 'site', 'gpt-5', 10000, 100000, NULL),
    ('s2', 'a', 'file:///site', 'site', 'gpt-5', 20000, 200000, NULL),
    ('s1', 'b', 'file:///site', 'site', 'gpt-5', 60000, NULL, NULL),
    ('s1', 'c', 'file:///site', 'site', 'gpt-5', NULL, 100000, NULL),
    ('s1', 'gone', 'file:///site', 'site', 'gpt-5', 90000, 100000, '2025-06-01 00:00:00+00'),
    ('s1', 'd', 'file:///other', 'other', NULL, NULL, NULL, NULL),
    ('s1', 'e', 'file:///other', 'other', 'auto', 5, 0, NULL);
