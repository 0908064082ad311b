-- Which models wrote the code that was kept?
-- One row per model and origin (composer: a conversation, tab: a completion), the most first, of the pieces of code that Cursor remembers by hash to find
-- them in commits. files and conversations are distinct; in_warehouse of the conversations are in this warehouse. Rows that Cursor has forgotten
-- since a load saw them still count.
-- Coverage: a NULL model is one that Cursor did not record; Cursor forgets old pieces, and what it forgot before the first load is not here.
CREATE OR REPLACE VIEW answers.ai_code_by_model AS
SELECT h.model, h.origin,
       count(*) AS pieces,
       count(DISTINCT h.file_name) AS files,
       count(DISTINCT h.conversation_id) AS conversations,
       count(DISTINCT h.conversation_id) FILTER (WHERE c.conversation_id IS NOT NULL) AS in_warehouse,
       min(h.written_at) AS first_at,
       max(h.written_at) AS last_at
FROM main.ai_code_hashes h
LEFT JOIN (SELECT DISTINCT conversation_id FROM main.conversations) c ON c.conversation_id = h.conversation_id
GROUP BY h.model, h.origin
ORDER BY pieces DESC, h.model NULLS LAST, h.origin NULLS LAST;
COMMENT ON VIEW answers.ai_code_by_model IS 'Pieces of code that Cursor wrote and remembers by hash, per model and origin; a NULL model was not recorded.';
