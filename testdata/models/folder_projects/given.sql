-- Chats of the command line in folders that are named after the MD5 of a path. Of a and b the path is that of known projects; c is in the folder of a path that nobody
-- knows; d says itself where it is; e is on another machine; f is another editor's; g had a project that is not known any more; the parent of h has another project.
-- Transcripts in folders that are named after a path: of t1 the usual name, with a space and an underscore in the path; of t2 a name that keeps the underscore; t3 is on
-- another machine; of t4 and t5 the letter of a drive in either case; of t6 two paths give the name; of t7 nobody knows the path; of t12 and t13 the name is cut, of t14 so that two paths give it; of t15 the command line has a note of the path; t8 lies beside a chat, which counts;
-- t9 had a chat that is deleted; t10 and t11 are windows without a folder.
INSERT INTO sources (source_id, host) VALUES ('s1', 'host'), ('s2', 'other');
INSERT INTO conversations (source_id, conversation_id, project_uri, project, project_path, project_source) VALUES
    ('s1', 'known', 'file:///home/u/one', 'one', '/home/u/one', 'composer'), ('s1', 'd', 'file:///home/u/two', 'two', '/home/u/two', 'cli_meta'),
    ('s1', 'a', NULL, NULL, NULL, NULL), ('s1', 'b', NULL, NULL, NULL, NULL), ('s1', 'c', NULL, NULL, NULL, NULL), ('s2', 'e', NULL, NULL, NULL, NULL), ('s1', 'f', NULL, NULL, NULL, NULL),
    ('s1', 'k1', 'file:///home/u/my own_app', 'my own_app', '/home/u/my own_app', 'composer'), ('s1', 'k2', 'file:///c:/Users/u/w', 'w', 'c:\Users\u\w', 'composer'),
    ('s1', 'k3', 'file:///home/u/a-b', 'a-b', '/home/u/a-b', 'composer'), ('s1', 'k4', 'file:///home/u/a/b', 'b', '/home/u/a/b', 'composer'), ('s1', 'k5', 'file:///', '/', '/', 'composer'),
    ('s1', 't1', NULL, NULL, NULL, NULL), ('s1', 't2', NULL, NULL, NULL, NULL), ('s2', 't3', NULL, NULL, NULL, NULL), ('s1', 't4', NULL, NULL, NULL, NULL), ('s1', 't5', NULL, NULL, NULL, NULL),
    ('s1', 't6', NULL, NULL, NULL, NULL), ('s1', 't7', NULL, NULL, NULL, NULL), ('s1', 't8', NULL, NULL, NULL, NULL), ('s1', 't9', NULL, NULL, NULL, NULL), ('s1', 't10', NULL, NULL, NULL, NULL),
    ('s1', 't11', NULL, NULL, NULL, NULL), ('s1', 't12', NULL, NULL, NULL, NULL), ('s1', 't13', NULL, NULL, NULL, NULL), ('s1', 't14', NULL, NULL, NULL, NULL),
    ('s1', 'k6', 'file:///l', 'x', '/home/u/' || repeat('long_name/', 7) || 'long_name/x', 'composer'),
    ('s1', 'k7', 'file:///l1', 'x', '/home/u/' || repeat('long_word/', 7) || 'long_word/x', 'composer'), ('s1', 'k8', 'file:///l2', 'y', '/home/u/' || repeat('long_word/', 7) || 'long_word/y', 'composer'),
    ('s1', 't15', 'file:///home/u/tru/sted', 'sted', '/home/u/tru/sted', 'slug'),
    ('s1', 'g', 'file:///home/u/lost', 'lost', '/home/u/lost', 'slug'), ('s1', 'h', 'file:///home/u/two', 'two', '/home/u/two', 'parent');
INSERT INTO conversation_sources (source_id, conversation_id, store_kind, path, is_primary) VALUES
    ('s1', 'a', 'cli_store', 'chats/992127e781e988f4d91798639f433a1a/a/store.db', true), ('s1', 'b', 'cli_store', 'chats/55e0214bfadaa2743634ae1c043df0e0/b/store.db', true),
    ('s1', 'c', 'cli_store', 'chats/d90b7d1ff53b1602f70e701ddf79307f/c/store.db', true), ('s1', 'd', 'cli_store', 'chats/992127e781e988f4d91798639f433a1a/d/store.db', true),
    ('s2', 'e', 'cli_store', 'chats/992127e781e988f4d91798639f433a1a/e/store.db', true), ('s1', 'f', 'acp_store', 'acp-sessions/f/store.db', true),
    ('s1', 'g', 'cli_store', 'chats/8fc297a3ac4b9199827b0fe47017b762/g/store.db', true), ('s1', 'h', 'cli_store', 'chats/992127e781e988f4d91798639f433a1a/h/store.db', true);
INSERT INTO conversation_sources (source_id, conversation_id, store_kind, path, is_primary, deleted_at) VALUES
    ('s1', 't1', 'transcript', 'projects/home-u-my-own-app/agent-transcripts/t1/t1.jsonl', true, NULL), ('s1', 't2', 'transcript', 'projects/home-u-my own_app/agent-transcripts/t2.txt', true, NULL),
    ('s2', 't3', 'transcript', 'projects/home-u-my-own-app/agent-transcripts/t3/t3.jsonl', true, NULL), ('s1', 't4', 'transcript', 'projects/c-Users-u-w/agent-transcripts/t4/t4.jsonl', true, NULL),
    ('s1', 't5', 'transcript', 'projects/C-Users-u-w/agent-transcripts/t5/t5.jsonl', true, NULL), ('s1', 't6', 'transcript', 'projects/home-u-a-b/agent-transcripts/t6/t6.jsonl', true, NULL),
    ('s1', 't7', 'transcript', 'projects/home-u-unknown/agent-transcripts/t7/t7.jsonl', true, NULL), ('s1', 't8', 'transcript', 'projects/home-u-my-own-app/agent-transcripts/t8/t8.jsonl', false, NULL),
    ('s1', 't8', 'cli_store', 'chats/992127e781e988f4d91798639f433a1a/t8/store.db', true, NULL),
    ('s1', 't9', 'cli_store', 'chats/992127e781e988f4d91798639f433a1a/t9/store.db', true, '2025-06-01 00:00:00+00'), ('s1', 't9', 'transcript', 'projects/home-u-two/agent-transcripts/t9/t9.jsonl', true, NULL),
    ('s1', 't10', 'transcript', 'projects/empty-window/agent-transcripts/t10/t10.jsonl', true, NULL), ('s1', 't11', 'transcript', 'projects/1788000000000/agent-transcripts/t11/t11.jsonl', true, NULL),
    ('s1', 't12', 'transcript', 'projects/home-u-' || repeat('long-name-', 7) || 'long-na0123abc/agent-transcripts/t12/t12.jsonl', true, NULL),
    ('s1', 't13', 'transcript', 'projects/home-u-' || repeat('long-name-', 7) || 'long-na-0123abc/agent-transcripts/t13/t13.jsonl', true, NULL),
    ('s1', 't14', 'transcript', 'projects/home-u-' || repeat('long-word-', 7) || 'long-wo-0123abc/agent-transcripts/t14/t14.jsonl', true, NULL);
INSERT INTO conversation_sources (source_id, conversation_id, store_kind, path, is_primary, project_path) VALUES
    ('s1', 't15', 'transcript', 'projects/home-u-trusted/agent-transcripts/t15/t15.jsonl', true, '/home/u/tru/sted');
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('h', 'd', 2, 'd');
UPDATE conversations SET created_at = '2025-03-10 09:00:00+00';
