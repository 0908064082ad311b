-- What changed in the latest run that changed anything?
-- One row per conversation that this run found new, changed or gone (what: new, changed, deleted), the deleted ones first, then the latest activity.
-- A run is the latest whose counts of conversations (new, changed, deleted) are not all 0; times of rows are compared with its start. A conversation that came back is
-- changed. gone_messages have left the store (all that the deleted one had, if nothing of it is left there). new_messages: all of a new conversation; of a changed
-- one the message rows that the raw layer first saw in this run, and NULL where it cannot tell: a conversation whose messages are no rows of their own.
-- Of a conversation that several sources have only the primary is listed. One that is empty (no message, and none missing or gone) is not listed. A run that was narrowed by --since or --project saw only what it was asked for.
-- Coverage: of all conversations that the run found changed (changed), new_known tell their new messages.
CREATE OR REPLACE VIEW answers.changes_since_last_run AS
WITH run AS (
    SELECT load_id, started_at, mode
    FROM main.loads
    WHERE greatest(conversations_new, conversations_changed, conversations_deleted) > 0
    ORDER BY load_id DESC
    LIMIT 1
), touched AS (
    SELECT c.source_id, c.conversation_id, c.display_title AS title, c.project, c.status, c.format, c.message_count, c.missing_message_count, c.last_activity_at, r.load_id, r.started_at, r.mode,
           CASE WHEN c.deleted_at = r.started_at THEN 'deleted' WHEN c.first_seen_at = r.started_at THEN 'new' ELSE 'changed' END AS what
    FROM main.all_conversations c
    ANTI JOIN (FROM main.conversation_copies WHERE NOT is_primary) k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
    JOIN run r ON c.deleted_at = r.started_at OR c.first_seen_at = r.started_at OR c.changed_at = r.started_at
), gone AS (
    SELECT m.source_id, m.conversation_id, count(*) AS messages
    FROM main.messages m
    JOIN run r ON m.deleted_at = r.started_at
    GROUP BY m.source_id, m.conversation_id
), written AS ( -- the message rows of this run's parts of the raw layer, of conversations that changed
    SELECT k.source_id, k.store, k.conversation_id, k.key
    FROM internal._known_rows k
    SEMI JOIN (SELECT f.seq FROM internal._raw_parts f JOIN run r ON r.load_id = f.load_id) f ON f.seq = k.seq
    SEMI JOIN (FROM touched WHERE what = 'changed') t ON t.source_id = k.source_id AND t.conversation_id = k.conversation_id
    WHERE NOT k.is_mark AND starts_with(k.key, 'bubbleId:')
), earlier AS (
    SELECT DISTINCT k.source_id, k.store, k.conversation_id, k.key
    FROM internal._known_rows k
    SEMI JOIN written w ON w.source_id = k.source_id AND w.store = k.store AND w.conversation_id = k.conversation_id AND w.key = k.key
    ANTI JOIN (SELECT f.seq FROM internal._raw_parts f JOIN run r ON r.load_id = f.load_id) f ON f.seq = k.seq
), fresh AS (
    SELECT w.source_id, w.conversation_id, count(*) AS messages
    FROM written w
    ANTI JOIN earlier e ON e.source_id = w.source_id AND e.store = w.store AND e.conversation_id = w.conversation_id AND e.key = w.key
    GROUP BY w.source_id, w.conversation_id
), kept AS (
    SELECT DISTINCT split_part(f.raw_file, '/', 1) AS source_id FROM internal._raw_parts f JOIN run r ON r.load_id = f.load_id
), told AS (
    SELECT t.*, coalesce(g.messages, 0) AS gone_messages,
           CASE WHEN t.what = 'new' THEN t.message_count
                WHEN t.what = 'changed' AND t.format = 'rows' AND k.source_id IS NOT NULL THEN coalesce(f.messages, 0) END AS new_messages
    FROM touched t
    LEFT JOIN gone g ON g.source_id = t.source_id AND g.conversation_id = t.conversation_id
    LEFT JOIN fresh f ON f.source_id = t.source_id AND f.conversation_id = t.conversation_id
    LEFT JOIN kept k ON k.source_id = t.source_id
)
SELECT what, source_id, conversation_id, title, project, status, message_count, new_messages, gone_messages, last_activity_at, load_id, started_at, mode,
       count(new_messages) FILTER (WHERE what = 'changed') OVER () AS new_known,
       count(CASE WHEN what = 'changed' THEN 1 END) OVER () AS changed
FROM told
WHERE message_count > 0 OR missing_message_count > 0 OR gone_messages > 0
ORDER BY what = 'deleted' DESC, last_activity_at DESC NULLS LAST, source_id, conversation_id;
COMMENT ON VIEW answers.changes_since_last_run IS 'Conversations that the latest run which changed anything found new, changed or gone; of those that are changed, new_known tell their new messages.';
