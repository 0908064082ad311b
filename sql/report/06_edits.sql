-- How many of the proposed edits were accepted, by model?
-- One row per day (of the proposal, else of its message's best known time, in the reader's TimeZone), project and model; edits are the rows of
-- code_edit_outcomes. model is the proposing message's, else the one chosen for the conversation: of model_named edits it is the message's. An
-- acceptance rate is accepted of decided, never of edits.
-- Edits that a fork repeats are left out (code_edit_outcomes.repeats counts them).
-- Coverage: of the edits, decided were accepted or rejected as a whole, and for the others nothing is recorded; lines_known have their lines, of which
-- lines_added and lines_removed are the sums, NULL where none has.
CREATE OR REPLACE VIEW report.edits AS
SELECT CAST(coalesce(proposed_at, message_at) AS DATE) AS day, project_uri, project, model,
       count(*) AS edits,
       count(*) FILTER (WHERE model_source = 'message') AS model_named,
       count(is_accepted) AS decided,
       count(*) FILTER (WHERE is_accepted) AS accepted,
       count(*) FILTER (WHERE NOT is_accepted) AS rejected,
       count(coalesce(lines_added, lines_removed)) AS lines_known,
       TRY_CAST(sum(lines_added) AS BIGINT) AS lines_added,
       TRY_CAST(sum(lines_removed) AS BIGINT) AS lines_removed
FROM answers.code_edit_outcomes
GROUP BY ALL;
COMMENT ON VIEW report.edits IS 'Proposed edits per day, project and model; of the edits, decided were accepted or rejected, and lines_known have their lines.';
