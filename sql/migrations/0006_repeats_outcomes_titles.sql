-- To schema version 6. Most rows are read again, from the stores or from the raw layer, and get what is new then. These statements are for those that are in
-- neither: what follows from other columns of theirs is filled here. They make new tables (see sql.Migrations).

-- Messages say whether they repeat those of another conversation: a model finds that.
CREATE OR REPLACE TABLE messages AS
SELECT COLUMNS(lambda c: c <> 'is_repeat'), false AS is_repeat
FROM messages;

-- Whether a call has failed depends on the user's decision and on the exit code, too.
CREATE OR REPLACE TABLE tool_calls AS
WITH decided AS (
    SELECT COLUMNS(lambda c: c NOT IN ('exit_code', 'user_decision', 'is_error')),
           CASE WHEN tool_kind = 'shell' THEN TRY_CAST(coalesce(result ->> '$.exitCodeV2', result ->> '$.exitCode', result ->> '$.exit_code') AS BIGINT) END AS exit_code,
           coalesce(user_decision, CASE WHEN (result ->> '$.rejected') = 'true' THEN 'rejected' END) AS user_decision
    FROM tool_calls
)
SELECT *, CASE WHEN user_decision = 'rejected' OR status = 'cancelled' THEN NULL
               WHEN status = 'error' OR error <> '' OR exit_code <> 0 THEN true
               WHEN status IN ('completed', 'success') THEN false END AS is_error
FROM decided;

-- Lists show the title of a conversation, else the first line of its first message of the user.
CREATE OR REPLACE TABLE conversations AS
WITH opened AS (
    SELECT source_id, conversation_id,
           left(trim(regexp_extract(arg_min(text, (position IS NULL, position, message_id)), '\S[^\r\n]*')), 80) AS line
    FROM messages
    WHERE role = 'user' AND regexp_matches(text, '\S')
    GROUP BY source_id, conversation_id
)
SELECT c.*, coalesce(CASE WHEN regexp_matches(c.title, '\S') THEN c.title END, o.line) AS display_title
FROM (SELECT COLUMNS(lambda c: c <> 'display_title') FROM conversations) c
LEFT JOIN opened o ON o.source_id = c.source_id AND o.conversation_id = c.conversation_id;

-- A key of cursorDiskKV had the family of the table of that name.
CREATE OR REPLACE TABLE key_families AS
SELECT * REPLACE (CASE WHEN family = 'composerHeaders' AND handling = 'unknown' THEN 'composerHeaders (a key)' ELSE family END AS family)
FROM key_families;
