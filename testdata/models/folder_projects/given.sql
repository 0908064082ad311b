-- Chats of the command line in folders that are named after the MD5 of a path. Of a and b the path is that of known projects; c is in the folder of a path that nobody
-- knows; d says itself where it is; e is on another machine; f is another editor's; g had a project that is not known any more; the parent of h has another project.
INSERT INTO sources (source_id, host) VALUES ('s1', 'host'), ('s2', 'other');
INSERT INTO conversations (source_id, conversation_id, project_uri, project, project_path, project_source) VALUES
    ('s1', 'known', 'file:///home/u/one', 'one', '/home/u/one', 'composer'), ('s1', 'd', 'file:///home/u/two', 'two', '/home/u/two', 'cli_meta'),
    ('s1', 'a', NULL, NULL, NULL, NULL), ('s1', 'b', NULL, NULL, NULL, NULL), ('s1', 'c', NULL, NULL, NULL, NULL), ('s2', 'e', NULL, NULL, NULL, NULL), ('s1', 'f', NULL, NULL, NULL, NULL),
    ('s1', 'g', 'file:///home/u/lost', 'lost', '/home/u/lost', 'slug'), ('s1', 'h', 'file:///home/u/two', 'two', '/home/u/two', 'parent');
INSERT INTO conversation_sources (source_id, conversation_id, store_kind, path, is_primary) VALUES
    ('s1', 'a', 'cli_store', 'chats/992127e781e988f4d91798639f433a1a/a/store.db', true), ('s1', 'b', 'cli_store', 'chats/55e0214bfadaa2743634ae1c043df0e0/b/store.db', true),
    ('s1', 'c', 'cli_store', 'chats/d90b7d1ff53b1602f70e701ddf79307f/c/store.db', true), ('s1', 'd', 'cli_store', 'chats/992127e781e988f4d91798639f433a1a/d/store.db', true),
    ('s2', 'e', 'cli_store', 'chats/992127e781e988f4d91798639f433a1a/e/store.db', true), ('s1', 'f', 'acp_store', 'acp-sessions/f/store.db', true),
    ('s1', 'g', 'cli_store', 'chats/8fc297a3ac4b9199827b0fe47017b762/g/store.db', true), ('s1', 'h', 'cli_store', 'chats/992127e781e988f4d91798639f433a1a/h/store.db', true);
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('h', 'd', 2, 'd');
UPDATE conversations SET created_at = '2025-03-10 09:00:00+00';
