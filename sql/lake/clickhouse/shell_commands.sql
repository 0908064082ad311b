-- Made by translate.py from sql/answers/11_shell_commands.sql, sha256 4ef833f52aa7d81a8ba3aa0de6c8369988fa34e7baa03d6b464b67a4b881dab0
-- Failures and rejections per program of the shell; outcome_known and decision_known of calls are recorded.
CREATE OR REPLACE VIEW shell_commands AS
WITH by_code AS (
  SELECT
    command_runs.machine_id AS machine_id,
    command_runs.program AS program,
    command_runs.exit_code AS exit_code,
    CAST(COUNT(*) AS Nullable(Int64)) AS calls,
    CAST(COUNT(command_runs.is_failed) AS Nullable(Int64)) AS outcome_known,
    CAST(COUNT(CASE WHEN command_runs.is_failed THEN 1 END) AS Nullable(Int64)) AS failed,
    CAST(COUNT(command_runs.is_rejected) AS Nullable(Int64)) AS decision_known,
    CAST(COUNT(CASE WHEN command_runs.is_rejected THEN 1 END) AS Nullable(Int64)) AS rejected,
    MAX(command_runs.created_at) AS last_used_at,
    any(command_runs.repeats) AS repeats,
    MAX(
      (
        COALESCE(command_runs.is_failed, FALSE),
        COALESCE(command_runs.is_rejected, FALSE),
        COALESCE(toUnixTimestamp64Milli(command_runs.created_at), 0),
        command_runs.command
      )
    ) AS example
  FROM command_runs AS command_runs
  GROUP BY
    command_runs.machine_id,
    command_runs.program,
    command_runs.exit_code
), placed AS (
  SELECT
    by_code.machine_id AS machine_id,
    by_code.program AS program,
    by_code.exit_code AS exit_code,
    by_code.calls AS calls,
    by_code.outcome_known AS outcome_known,
    by_code.failed AS failed,
    by_code.decision_known AS decision_known,
    by_code.rejected AS rejected,
    by_code.last_used_at AS last_used_at,
    by_code.repeats AS repeats,
    by_code.example AS example,
    CAST(ROW_NUMBER() OVER (
      PARTITION BY by_code.machine_id, by_code.program, by_code.exit_code IS NULL OR by_code.exit_code = 0
      ORDER BY by_code.calls DESC, by_code.exit_code
    ) AS Nullable(Int64)) AS place
  FROM by_code AS by_code
)
SELECT
  placed.machine_id AS machine_id,
  placed.program AS program,
  accurateCastOrNull(SUM(placed.calls), 'Int64') AS calls,
  accurateCastOrNull(SUM(placed.outcome_known), 'Int64') AS outcome_known,
  accurateCastOrNull(SUM(placed.failed), 'Int64') AS failed,
  trunc(
    (
      SUM(placed.failed) / nullIf(SUM(placed.outcome_known), 0)
    ) * 10000 + 0.5 * sign((
      SUM(placed.failed) / nullIf(SUM(placed.outcome_known), 0)
    ))
  ) / 10000 AS failure_rate,
  accurateCastOrNull(SUM(placed.decision_known), 'Int64') AS decision_known,
  accurateCastOrNull(SUM(placed.rejected), 'Int64') AS rejected,
  trunc(
    (
      SUM(placed.rejected) / nullIf(SUM(placed.decision_known), 0)
    ) * 10000 + 0.5 * sign((
      SUM(placed.rejected) / nullIf(SUM(placed.decision_known), 0)
    ))
  ) / 10000 AS rejection_rate,
  accurateCastOrNull(COALESCE(SUM(CASE WHEN NOT (
    placed.exit_code IS NULL
  ) THEN placed.calls END), 0), 'Int64') AS exit_code_known,
  nullIf(
    arrayStringConcat(
      arrayMap(
        t -> tupleElement(t, 2),
        arraySort(
          groupArrayIf(
            (placed.place, assumeNotNull(CASE WHEN placed.exit_code <> 0 AND placed.place <= 5 THEN placed.exit_code || ' (' || placed.calls || ')' END)),
            NOT (
              CASE WHEN placed.exit_code <> 0 AND placed.place <= 5 THEN placed.exit_code || ' (' || placed.calls || ')' END IS NULL
            )
          )
        )
      ),
      ', '
    ),
    ''
  ) AS exit_codes,
  MAX(placed.last_used_at) AS last_used_at,
  leftUTF8(tupleElement(MAX(placed.example), 4), 200) AS example_command,
  any(placed.repeats) AS repeats
FROM placed AS placed
GROUP BY
  placed.machine_id,
  placed.program
SETTINGS join_use_nulls = 1;
