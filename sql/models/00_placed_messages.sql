-- Gives a chat the messages that its header list names and that lie under another chat alone: Cursor copies a chat without the rows of its messages.
--
-- A header is such a placement if no row of its chat has its message, and a row of that id in another chat has its type and its time. The copy is a message of its own, with
-- the calls and attachments of the other one. It changes when that one changes, and is deleted when that one is: then the message is missing again. Positions and turns
-- follow. Everything is computed from _missing_headers, and only conversations with such messages are looked at; what is as it was is not written.
-- A load skips it while _missing_headers is empty.

-- The header's place is the number of messages with rows of their own before it. Of several rows the one of the chat that began first counts.
CREATE OR REPLACE TEMP TABLE _placed AS
SELECT h.source_id, h.conversation_id, h.message_id, h.place, h.ordinal, m.conversation_id AS origin_id
FROM _missing_headers h
JOIN conversations c ON c.source_id = h.source_id AND c.conversation_id = h.conversation_id AND c.deleted_at IS NULL
JOIN messages m ON m.source_id = h.source_id AND m.message_id = h.message_id AND m.conversation_id <> h.conversation_id AND m.role = h.role AND m.created_at = h.created_at
JOIN conversations o ON o.source_id = m.source_id AND o.conversation_id = m.conversation_id
ANTI JOIN _missing_headers x ON x.source_id = m.source_id AND x.conversation_id = m.conversation_id AND x.message_id = m.message_id
WHERE m.deleted_at IS NULL AND m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')
QUALIFY row_number() OVER (PARTITION BY h.source_id, h.conversation_id, h.message_id ORDER BY o.created_at, o.conversation_id) = 1;

-- The live messages of the chats that have such messages, or had some, with what each is to become.
CREATE OR REPLACE TEMP TABLE _held AS
WITH had AS (
    SELECT source_id, conversation_id, message_id
    FROM messages m
    SEMI JOIN _missing_headers h ON h.source_id = m.source_id AND h.conversation_id = m.conversation_id AND h.message_id = m.message_id
    SEMI JOIN (FROM conversations WHERE deleted_at IS NULL) c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id -- a deleted one has the headers that it had
    WHERE m.deleted_at IS NULL
), holders AS (
    SELECT source_id, conversation_id FROM _placed
    UNION
    SELECT source_id, conversation_id FROM had
), own AS (
    SELECT m.source_id, m.conversation_id, m.message_id, m.conversation_id AS origin_id, m.role = 'user' AND NOT m.is_simulated AS is_prompt, 1 AS rank,
           row_number() OVER (PARTITION BY m.source_id, m.conversation_id ORDER BY m.position) - 1 AS place, 0 AS ordinal
    FROM messages m
    SEMI JOIN holders h ON h.source_id = m.source_id AND h.conversation_id = m.conversation_id
    ANTI JOIN had d ON d.source_id = m.source_id AND d.conversation_id = m.conversation_id AND d.message_id = m.message_id
    WHERE m.deleted_at IS NULL
), listed AS (
    FROM own
    UNION ALL
    SELECT p.source_id, p.conversation_id, p.message_id, p.origin_id, m.role = 'user' AND NOT m.is_simulated, 0, p.place, p.ordinal
    FROM _placed p
    JOIN messages m ON m.source_id = p.source_id AND m.conversation_id = p.origin_id AND m.message_id = p.message_id
)
SELECT source_id, conversation_id, message_id, origin_id,
       row_number() OVER (PARTITION BY source_id, conversation_id ORDER BY place, rank, ordinal) - 1 AS position,
       count(CASE WHEN is_prompt THEN 1 END) OVER (PARTITION BY source_id, conversation_id ORDER BY place, rank, ordinal ROWS UNBOUNDED PRECEDING) AS turn,
       false AS is_gone
FROM listed
UNION ALL
SELECT d.source_id, d.conversation_id, d.message_id, d.conversation_id, NULL, NULL, true
FROM had d
ANTI JOIN _placed p ON p.source_id = d.source_id AND p.conversation_id = d.conversation_id AND p.message_id = d.message_id;

-- The rows to be written. They are inserted again, as merge/gone.sql says.
CREATE OR REPLACE TEMP TABLE _placed_messages AS
SELECT m.* REPLACE (h.conversation_id AS conversation_id, h.position AS position, coalesce(h.turn, m.turn) AS turn, m.is_listed OR h.origin_id <> h.conversation_id AS is_listed,
                    coalesce(w.is_repeat, false) AS is_repeat, CASE WHEN h.is_gone THEN CAST(getvariable('load_started_at') AS TIMESTAMPTZ) END AS deleted_at)
FROM _held h
JOIN messages m ON m.source_id = h.source_id AND m.conversation_id = h.origin_id AND m.message_id = h.message_id
LEFT JOIN messages w ON w.source_id = h.source_id AND w.conversation_id = h.conversation_id AND w.message_id = h.message_id
EXCEPT
SELECT m.* FROM messages m SEMI JOIN _held h ON h.source_id = m.source_id AND h.conversation_id = m.conversation_id AND h.message_id = m.message_id;

CREATE OR REPLACE TEMP TABLE _placed_calls AS
SELECT t.* REPLACE (h.conversation_id AS conversation_id, h.position AS position, CASE WHEN h.is_gone THEN CAST(getvariable('load_started_at') AS TIMESTAMPTZ) END AS deleted_at)
FROM _held h
JOIN tool_calls t ON t.source_id = h.source_id AND t.conversation_id = h.origin_id AND t.message_id = h.message_id AND t.deleted_at IS NULL
UNION ALL
SELECT t.* REPLACE (NULL AS position, CAST(getvariable('load_started_at') AS TIMESTAMPTZ) AS deleted_at) -- a call that the other one has no longer
FROM tool_calls t
JOIN _placed p ON p.source_id = t.source_id AND p.conversation_id = t.conversation_id AND p.message_id = t.message_id
ANTI JOIN (FROM tool_calls WHERE deleted_at IS NULL) o ON o.source_id = t.source_id AND o.conversation_id = p.origin_id AND o.message_id = t.message_id AND o.call_index = t.call_index
WHERE t.deleted_at IS NULL
EXCEPT
SELECT t.* FROM tool_calls t SEMI JOIN _held h ON h.source_id = t.source_id AND h.conversation_id = t.conversation_id AND h.message_id = t.message_id;

CREATE OR REPLACE TEMP TABLE _placed_attachments AS
SELECT a.* REPLACE (p.conversation_id AS conversation_id)
FROM _placed p
JOIN attachments a ON a.source_id = p.source_id AND a.conversation_id = p.origin_id AND a.message_id = p.message_id;

CREATE OR REPLACE TEMP TABLE _old_attachments AS
SELECT a.*
FROM attachments a
SEMI JOIN _placed p ON p.source_id = a.source_id AND p.conversation_id = a.conversation_id AND p.message_id = a.message_id;

CREATE OR REPLACE TEMP TABLE _holders_written AS
SELECT source_id, conversation_id FROM _placed_messages
UNION
SELECT source_id, conversation_id FROM _placed_calls
UNION
SELECT source_id, conversation_id FROM ((FROM _placed_attachments EXCEPT FROM _old_attachments) UNION ALL (FROM _old_attachments EXCEPT FROM _placed_attachments));

-- What is not missing any more. Without a graph a chat is partial if and only if a message is missing.
CREATE OR REPLACE TEMP TABLE _placed_counts AS
SELECT h.source_id, h.conversation_id,
       count(*) FILTER (WHERE p.message_id IS NOT NULL) - count(*) FILTER (WHERE m.message_id IS NOT NULL) AS found
FROM _missing_headers h
SEMI JOIN _holders_written w ON w.source_id = h.source_id AND w.conversation_id = h.conversation_id
LEFT JOIN _placed p ON p.source_id = h.source_id AND p.conversation_id = h.conversation_id AND p.message_id = h.message_id
LEFT JOIN messages m ON m.source_id = h.source_id AND m.conversation_id = h.conversation_id AND m.message_id = h.message_id AND m.deleted_at IS NULL
GROUP BY h.source_id, h.conversation_id;

UPDATE conversations AS c
SET missing_message_count = coalesce(TRY_CAST(CAST(c.missing_message_count AS HUGEINT) - f.found AS BIGINT), c.missing_message_count),
    completeness = CASE WHEN c.missing_message_count > f.found THEN 'partial' ELSE 'complete' END
FROM _placed_counts f
WHERE f.source_id = c.source_id AND f.conversation_id = c.conversation_id;

DELETE FROM messages AS m USING _placed_messages p
WHERE p.source_id = m.source_id AND p.conversation_id = m.conversation_id AND p.message_id = m.message_id;
INSERT INTO messages FROM _placed_messages;

DELETE FROM tool_calls AS t USING _placed_calls p
WHERE p.source_id = t.source_id AND p.conversation_id = t.conversation_id AND p.message_id = t.message_id AND p.call_index = t.call_index;
INSERT INTO tool_calls FROM _placed_calls;

DELETE FROM attachments AS a USING (FROM _old_attachments SEMI JOIN _holders_written w USING (source_id, conversation_id)) o
WHERE o.source_id = a.source_id AND o.conversation_id = a.conversation_id AND o.message_id = a.message_id;
INSERT INTO attachments FROM _placed_attachments SEMI JOIN _holders_written w USING (source_id, conversation_id);

INSERT INTO _changed
FROM _holders_written
EXCEPT
SELECT source_id, conversation_id FROM _changed;

INSERT INTO _changed_groups
SELECT DISTINCT c.source_id, c.project_uri
FROM conversations c
SEMI JOIN _holders_written w ON w.source_id = c.source_id AND w.conversation_id = c.conversation_id;

INSERT INTO _recalled
SELECT DISTINCT t, conversation_id FROM _holders_written, unnest(['messages', 'tool_calls']) x(t);

DROP TABLE _placed_counts;
DROP TABLE _holders_written;
DROP TABLE _old_attachments;
DROP TABLE _placed_attachments;
DROP TABLE _placed_calls;
DROP TABLE _placed_messages;
DROP TABLE _held;
DROP TABLE _placed;
