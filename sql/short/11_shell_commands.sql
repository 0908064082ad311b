-- Which shell commands fail or are rejected most?
-- One row per program, most failed and rejected first. failed_percent is over the known commands.
-- Coverage: known counts the commands that are known to have succeeded or failed. A percentage of fewer than 20 says little. Commands that a fork repeats are left out: repeats in the detail counts them.
CREATE OR REPLACE VIEW answers.shell_commands_short AS
SELECT program, calls, failed, TRY_CAST(failed / nullif(outcome_known, 0) * 100 AS DECIMAL(18, 1)) AS failed_percent, rejected, outcome_known AS known
FROM answers.shell_commands
ORDER BY CAST(failed AS HUGEINT) + rejected DESC, calls DESC, program NULLS LAST;
COMMENT ON VIEW answers.shell_commands_short IS 'Failures and rejections per program of the shell.';
COMMENT ON COLUMN answers.shell_commands_short.program IS 'The program; NULL where the command is not recorded.';
COMMENT ON COLUMN answers.shell_commands_short.calls IS 'Commands that begin with it.';
COMMENT ON COLUMN answers.shell_commands_short.failed IS 'Commands that failed.';
COMMENT ON COLUMN answers.shell_commands_short.failed_percent IS 'Failed of the known commands, in percent.';
COMMENT ON COLUMN answers.shell_commands_short.rejected IS 'Commands that the user rejected.';
COMMENT ON COLUMN answers.shell_commands_short.known IS 'Commands that are known to have succeeded or failed.';
