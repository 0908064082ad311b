-- What happened to each proposed edit?
-- One row per proposed edit, the latest first: a row of code_edits, and each call of an edit tool whose message has none and that did not fail.
-- is_accepted: the store's accept and reject records; for a call without them the user's decision. NULL where an edit was taken in part, is not
-- decided, or nothing is recorded. A message with one of each is one edit: where code_edits has no path or lines, the call's are taken.
-- file is the path within the project where it lies in it, else the path as recorded; file_type is its extension in lower case, else the
-- language. model is the proposing message's, else the one chosen for the conversation; model_source (message, conversation) says which.
-- proposed_at is when it was proposed (the edit's time, else a recorded time of its message); when it was accepted is recorded nowhere. message_at is
-- the best known time of the message, also an inherited one.
-- Edits that a fork repeats have no row: repeats counts those of all conversations, the same in every row. Of a row of code_edits that names no message it cannot be told.
-- Coverage: NULL in is_accepted, proposed_at, model and lines_added is what is not recorded; recorded_in (code_edits, tool_calls) says by what.
CREATE OR REPLACE VIEW answers.code_edit_outcomes AS
WITH calls AS (
    SELECT source_id, conversation_id, message_id, call_index, tool, file_path, user_decision, is_error, lines_added, lines_removed
    FROM main.live_tool_calls
    WHERE tool_kind = 'edit'
), blocks AS (
    SELECT source_id, conversation_id, message_id, edit_id, path, language, is_accepted, lines_added, lines_removed, created_at
    FROM main.code_edits
    WHERE deleted_at IS NULL
), pairs AS (
    SELECT e.source_id, e.edit_id, t.* EXCLUDE (source_id, user_decision, is_error)
    FROM blocks e
    JOIN calls t ON t.source_id = e.source_id AND t.conversation_id = e.conversation_id AND t.message_id = e.message_id
    QUALIFY count(*) OVER (PARTITION BY e.source_id, e.conversation_id, e.message_id) = 1
), proposed AS (
    SELECT e.source_id, e.conversation_id, e.message_id, e.edit_id, t.call_index, 'code_edits' AS recorded_in, t.tool,
           coalesce(e.path, t.file_path) AS path, e.language, e.is_accepted,
           coalesce(e.lines_added, t.lines_added) AS lines_added, coalesce(e.lines_removed, t.lines_removed) AS lines_removed, e.created_at
    FROM blocks e
    LEFT JOIN pairs t ON t.source_id = e.source_id AND t.conversation_id = e.conversation_id AND t.edit_id = e.edit_id
    UNION ALL
    SELECT t.source_id, t.conversation_id, t.message_id, NULL, t.call_index, 'tool_calls', t.tool,
           t.file_path, NULL, CASE t.user_decision WHEN 'accepted' THEN true WHEN 'rejected' THEN false END,
           t.lines_added, t.lines_removed, NULL
    FROM calls t
    ANTI JOIN blocks e ON e.source_id = t.source_id AND e.conversation_id = t.conversation_id AND e.message_id = t.message_id
    WHERE t.is_error IS NOT TRUE
), placed AS (
    SELECT p.*, c.project_uri, c.project, c.display_title AS title, c.model AS chosen_model, rtrim(replace(c.project_path, '\', '/'), '/') || '/' AS folder,
           regexp_replace(replace(p.path, '\', '/'), '\?[^/]*$', '') AS whole -- a URI may end in a query
    FROM proposed p
    JOIN main.live_conversations c ON c.source_id = p.source_id AND c.conversation_id = p.conversation_id
), filed AS (
    SELECT *, CASE WHEN starts_with(lower(whole), lower(folder)) THEN substr(whole, length(folder) + 1) ELSE whole END AS file
    FROM placed
)
SELECT p.source_id, p.project_uri, p.project, p.conversation_id, p.title, p.message_id, m.position,
       CASE WHEN m.deleted_at IS NULL THEN m.turn END AS turn, p.edit_id, p.call_index, p.recorded_in, p.tool, p.file,
       coalesce(nullif(lower(regexp_extract(p.file, '\.([A-Za-z0-9_+]{1,12})$', 1)), ''), p.language) AS file_type,
       coalesce(m.model, p.chosen_model) AS model,
       CASE WHEN m.model IS NOT NULL THEN 'message' WHEN p.chosen_model IS NOT NULL THEN 'conversation' END AS model_source,
       coalesce(p.created_at, CASE WHEN m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN m.created_at END) AS proposed_at,
       coalesce(m.created_at, p.created_at) AS message_at, p.is_accepted, p.lines_added, p.lines_removed,
       count(CASE WHEN m.is_repeat THEN 1 END) OVER () AS repeats
FROM filed p
LEFT JOIN main.messages m ON m.source_id = p.source_id AND m.conversation_id = p.conversation_id AND m.message_id = p.message_id
QUALIFY m.is_repeat IS NOT TRUE
ORDER BY proposed_at DESC NULLS LAST, p.source_id, p.conversation_id, m.position DESC NULLS LAST, p.message_id, p.edit_id, p.call_index;
COMMENT ON VIEW answers.code_edit_outcomes IS 'Every proposed edit with its file, model and fate; NULL in is_accepted is what is not decided or not recorded.';
