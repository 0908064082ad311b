-- Does an edit of the agent leave a file with more linter errors than before, or with fewer?
-- One row per conversation and file that somebody reported on; those that got worst first. before and after are the errors before and after the compared turns, added up.
-- Coverage: turns counts the turns that edit the file and have a report before and after; before and after are NULL where none has. Reports that a fork repeats are left out: repeats in the detail counts them.
CREATE OR REPLACE VIEW answers.linter_errors_short AS
SELECT title, file, reports, compared AS turns, errors_before AS before, errors_after AS after
FROM answers.linter_errors
ORDER BY CAST(errors_after AS HUGEINT) - errors_before DESC NULLS LAST, reports DESC, most_errors DESC, source_id, conversation_id, file NULLS LAST;
COMMENT ON VIEW answers.linter_errors_short IS 'Linter errors before and after turns that edit a file.';
COMMENT ON COLUMN answers.linter_errors_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.linter_errors_short.file IS 'The file; NULL for reports that name none.';
COMMENT ON COLUMN answers.linter_errors_short.reports IS 'Reports on the file.';
COMMENT ON COLUMN answers.linter_errors_short.turns IS 'Turns that edit the file and have a report before and after.';
COMMENT ON COLUMN answers.linter_errors_short.before IS 'Errors before these turns.';
COMMENT ON COLUMN answers.linter_errors_short.after IS 'Errors after these turns.';
