-- Which models wrote the code that was kept?
-- One row per model, the most pieces first: pieces of code that Cursor remembers by hash, of conversations and of Tab.
-- Coverage: model is NULL where Cursor did not record it; what it forgot before the first run is not here.
CREATE OR REPLACE VIEW answers.ai_code_by_model_short AS
SELECT model, count(*) AS pieces, TRY_CAST(count(*) / sum(count(*)) OVER () * 100 AS DECIMAL(18, 1)) AS percent, count(DISTINCT file_name) AS files,
       count(DISTINCT conversation_id) AS conversations
FROM main.ai_code_hashes
GROUP BY model
ORDER BY pieces DESC, model NULLS LAST;
COMMENT ON VIEW answers.ai_code_by_model_short IS 'Pieces of code that Cursor remembers, per model.';
COMMENT ON COLUMN answers.ai_code_by_model_short.model IS 'The model that wrote them.';
COMMENT ON COLUMN answers.ai_code_by_model_short.pieces IS 'Pieces of code.';
COMMENT ON COLUMN answers.ai_code_by_model_short.percent IS 'Its part of all pieces, in percent.';
COMMENT ON COLUMN answers.ai_code_by_model_short.files IS 'Files that they are in.';
COMMENT ON COLUMN answers.ai_code_by_model_short.conversations IS 'Conversations that they are from.';
