-- Where did the agent repeat itself: edit, error, edit of the same file again?
-- One row per loop of three rounds or more, most rounds first.
-- Coverage: day is NULL where no edit of the loop has a recorded time.
CREATE OR REPLACE VIEW answers.edit_loops_short AS
SELECT title, file, rounds, errors, CAST(started_at AS DATE) AS day, repeats
FROM answers.edit_loops
ORDER BY rounds DESC, errors DESC, started_at DESC NULLS LAST, source_id, conversation_id, file, first_position;
COMMENT ON VIEW answers.edit_loops_short IS 'Loops of edit, error and edit of the same file.';
COMMENT ON COLUMN answers.edit_loops_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.edit_loops_short.file IS 'The file, within the project where it lies in it.';
COMMENT ON COLUMN answers.edit_loops_short.rounds IS 'Rounds of edit, error and edit.';
COMMENT ON COLUMN answers.edit_loops_short.errors IS 'Errors from the first edit to the last.';
COMMENT ON COLUMN answers.edit_loops_short.day IS 'Day of the first edit.';
COMMENT ON COLUMN answers.edit_loops_short.repeats IS 'Edits that a fork repeats, and that are passed over; the same in every row.';
