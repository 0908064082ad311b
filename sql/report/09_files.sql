-- Which files were edited, day by day?
-- One row per day (of the proposal, else of its message's best known time, in the reader's TimeZone), project and file. edits are those of
-- code_edit_outcomes that name a file and were not rejected; an undecided one counts, for most are never decided one by one. file is the path within
-- the project, else the path as recorded. conversations are those of the day that edited the file: over several days one counts on each.
-- Edits that a fork repeats are left out (code_edit_outcomes.repeats counts them).
-- Coverage: of the edits, lines_known have their lines, of which lines_added and lines_removed are the sums, NULL where none has.
CREATE OR REPLACE VIEW report.files AS
SELECT CAST(coalesce(proposed_at, message_at) AS DATE) AS day, project_uri, project, file,
       count(*) AS edits,
       count(coalesce(lines_added, lines_removed)) AS lines_known,
       TRY_CAST(sum(lines_added) AS BIGINT) AS lines_added,
       TRY_CAST(sum(lines_removed) AS BIGINT) AS lines_removed,
       count(DISTINCT (source_id, conversation_id)) AS conversations
FROM answers.code_edit_outcomes
WHERE file IS NOT NULL AND is_accepted IS NOT FALSE
GROUP BY ALL;
COMMENT ON VIEW report.files IS 'Edits per day, project and file, without rejected ones; of the edits, lines_known have their lines.';
