-- Which share of the proposed edits is accepted, by model?
-- One row per model, most edits first, over all types of file and projects. accepted_percent is over the decided edits. What an edit is, and when it is accepted, is said at code_edit_outcomes.
-- Coverage: decided counts the edits that are accepted or rejected; model is NULL where none is recorded. A percentage of fewer than 20 says little.
CREATE OR REPLACE VIEW answers.edit_acceptance_short AS
SELECT model, TRY_CAST(sum(edits) AS BIGINT) AS edits, TRY_CAST(sum(decided) AS BIGINT) AS decided, TRY_CAST(sum(accepted) AS BIGINT) AS accepted, TRY_CAST(sum(accepted) / nullif(sum(decided), 0) * 100 AS DECIMAL(18, 1)) AS accepted_percent, any_value(repeats) AS repeats
FROM answers.edit_acceptance
GROUP BY model
ORDER BY sum(edits) DESC, sum(decided) DESC, model NULLS LAST;
COMMENT ON VIEW answers.edit_acceptance_short IS 'Acceptance of edits per model.';
COMMENT ON COLUMN answers.edit_acceptance_short.model IS 'The model that proposed the edits, else the one chosen for the conversation.';
COMMENT ON COLUMN answers.edit_acceptance_short.edits IS 'Proposed edits.';
COMMENT ON COLUMN answers.edit_acceptance_short.decided IS 'Edits that were accepted or rejected.';
COMMENT ON COLUMN answers.edit_acceptance_short.accepted IS 'Edits that were accepted.';
COMMENT ON COLUMN answers.edit_acceptance_short.accepted_percent IS 'Accepted of the decided edits, in percent.';
COMMENT ON COLUMN answers.edit_acceptance_short.repeats IS 'Edits that a fork repeats, and that are left out; the same in every row.';
