-- Which shell commands fail or are rejected most?
-- One row per program (see command_runs for how it is found and what counts as failed and rejected), most failed and rejected first; program is
-- NULL for calls whose command is not recorded. failure_rate is over the calls that are known to have succeeded or failed, rejection_rate over those
-- for which an answer of the user is recorded: commands that ran without asking have none. exit_codes lists the codes other than 0 that were
-- met, the most frequent five, with their counts. example_command is the latest that failed, else the latest rejected, else the latest.
-- Commands that a fork repeats are left out: repeats counts them, the same in every row.
-- Coverage: of the calls, outcome_known are known to have succeeded or failed; decision_known have a recorded decision, and exit_code_known an exit code.
CREATE OR REPLACE VIEW answers.shell_commands AS
WITH by_code AS (
    SELECT program, exit_code,
           count(*) AS calls,
           count(is_failed) AS outcome_known,
           count(*) FILTER (WHERE is_failed) AS failed,
           count(is_rejected) AS decision_known,
           count(*) FILTER (WHERE is_rejected) AS rejected,
           max(created_at) AS last_used_at,
           any_value(repeats) AS repeats,
           max((coalesce(is_failed, false), coalesce(is_rejected, false), coalesce(epoch_ms(created_at), 0), command)) AS example
    FROM answers.command_runs
    GROUP BY program, exit_code
), placed AS (
    SELECT *, row_number() OVER (PARTITION BY program, exit_code IS NULL OR exit_code = 0 ORDER BY calls DESC, exit_code) AS place
    FROM by_code
)
SELECT program,
       TRY_CAST(sum(calls) AS BIGINT) AS calls,
       TRY_CAST(sum(outcome_known) AS BIGINT) AS outcome_known,
       TRY_CAST(sum(failed) AS BIGINT) AS failed,
       round(sum(failed) / nullif(sum(outcome_known), 0), 4) AS failure_rate,
       TRY_CAST(sum(decision_known) AS BIGINT) AS decision_known,
       TRY_CAST(sum(rejected) AS BIGINT) AS rejected,
       round(sum(rejected) / nullif(sum(decision_known), 0), 4) AS rejection_rate,
       TRY_CAST(coalesce(sum(calls) FILTER (WHERE exit_code IS NOT NULL), 0) AS BIGINT) AS exit_code_known,
       string_agg(exit_code || ' (' || calls || ')', ', ' ORDER BY place) FILTER (WHERE exit_code <> 0 AND place <= 5) AS exit_codes,
       max(last_used_at) AS last_used_at,
       left(max(example)[4], 200) AS example_command,
       any_value(repeats) AS repeats
FROM placed
GROUP BY program
ORDER BY sum(failed) + sum(rejected) DESC, sum(calls) DESC, program NULLS LAST;
COMMENT ON VIEW answers.shell_commands IS 'Failures and rejections per program of the shell; of the calls, outcome_known are known to have succeeded or failed, and decision_known have a recorded decision.';
