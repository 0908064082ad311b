-- Lists the messages that several conversations have: the same bubble, or the same call of a tool, with the same time and text.
--
-- Cursor also copies messages to another chat under their own ids. Only an id that holds a UUID, and a time that the message records, tell a copy from something that looks
-- like it. _copied(source_id, conversation_id, message_id, copy_of) gets a row for each such message; what is the same has the same copy_of. A message may be the
-- same as a second one by its id, and as a third one by its call. Among the messages that become copies, or stop to be some, is one of a conversation that
-- changed or one that repeats: only what these have is looked for elsewhere, by hashes, which fill less memory than ids. Where these are all, nothing is elsewhere.
CREATE OR REPLACE TEMP TABLE _concerned AS
SELECT source_id, conversation_id FROM _changed
UNION
SELECT source_id, conversation_id FROM messages WHERE is_repeat;

-- The hashes of what these have; one and other are of the first and the last of the conversations. By its time a message is found without its id.
CREATE OR REPLACE TEMP TABLE _likely AS
WITH elsewhere AS (
    SELECT EXISTS (FROM conversations c ANTI JOIN _concerned x ON x.source_id = c.source_id AND x.conversation_id = c.conversation_id) AS any_left
)
SELECT hash(message_id, created_at) AS id, min(created_at) AS at, min(hash(conversation_id)) AS one, max(hash(conversation_id)) AS other, false AS is_call
FROM messages m
SEMI JOIN _concerned c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
WHERE strlen(message_id) >= 36 AND created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')
GROUP BY hash(message_id, created_at)
HAVING one <> other OR (SELECT any_left FROM elsewhere)
UNION ALL
SELECT hash(tool_call_id) AS id, NULL, min(hash(conversation_id)) AS one, max(hash(conversation_id)) AS other, true
FROM tool_calls t
SEMI JOIN _concerned c ON c.source_id = t.source_id AND c.conversation_id = t.conversation_id
WHERE tool_call_id IS NOT NULL
GROUP BY hash(tool_call_id)
HAVING one <> other OR (SELECT any_left FROM elsewhere);

-- The ids that several conversations have.
CREATE OR REPLACE TEMP TABLE _shared_ids AS
SELECT DISTINCT m.message_id AS id, false AS is_call
FROM messages m
JOIN _likely b ON NOT b.is_call AND b.at = m.created_at AND b.id = hash(m.message_id, m.created_at) AND (b.one <> hash(m.conversation_id) OR b.other <> hash(m.conversation_id))
WHERE regexp_full_match(m.message_id, '[^#~]*[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}[^#~]*')
UNION ALL
SELECT DISTINCT t.tool_call_id, true
FROM tool_calls t
JOIN _likely b ON b.is_call AND b.id = hash(t.tool_call_id) AND (b.one <> hash(t.conversation_id) OR b.other <> hash(t.conversation_id));

-- Their messages. Where there are none, as on most nights, the engine sees an empty table, and nothing of messages is read to look for what is the same.
CREATE OR REPLACE TEMP TABLE _marked AS
    SELECT m.source_id, m.conversation_id, m.message_id, 'bubble ' || m.message_id AS mark
    FROM messages m
    SEMI JOIN (FROM _shared_ids WHERE NOT is_call) s ON s.id = m.message_id
    UNION
    SELECT t.source_id, t.conversation_id, t.message_id, concat_ws(' ', 'call', t.tool_call_id, t.tool, md5(t.params))
    FROM tool_calls t
    SEMI JOIN (FROM _shared_ids WHERE is_call) s ON s.id = t.tool_call_id;

INSERT INTO _copied
WITH told AS (
    SELECT k.source_id, k.conversation_id, k.message_id, concat_ws(' ', k.mark, epoch_ms(m.created_at), md5(m.text)) AS copy_of
    FROM _marked k
    JOIN messages m ON m.source_id = k.source_id AND m.conversation_id = k.conversation_id AND m.message_id = k.message_id
    WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')
)
SELECT source_id, conversation_id, message_id, copy_of
FROM told
QUALIFY min(conversation_id) OVER (PARTITION BY copy_of) <> max(conversation_id) OVER (PARTITION BY copy_of);

DROP TABLE _marked;
DROP TABLE _shared_ids;
DROP TABLE _likely;
DROP TABLE _concerned;
