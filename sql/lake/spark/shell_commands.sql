-- Made by translate.py from sql/answers/11_shell_commands.sql, sha256 4ef833f52aa7d81a8ba3aa0de6c8369988fa34e7baa03d6b464b67a4b881dab0
-- Failures and rejections per program of the shell; outcome_known and decision_known of calls are recorded.
CREATE OR REPLACE TEMPORARY VIEW shell_commands AS
WITH by_code AS (
  SELECT
    command_runs.machine_id AS machine_id,
    command_runs.program AS program,
    command_runs.exit_code AS exit_code,
    COUNT(*) AS calls,
    COUNT(command_runs.is_failed) AS outcome_known,
    COUNT(CASE WHEN command_runs.is_failed THEN 1 END) AS failed,
    COUNT(command_runs.is_rejected) AS decision_known,
    COUNT(CASE WHEN command_runs.is_rejected THEN 1 END) AS rejected,
    MAX(command_runs.created_at) AS last_used_at,
    any_value(command_runs.repeats, TRUE) AS repeats,
    MAX(
      STRUCT(
        COALESCE(command_runs.is_failed, FALSE) AS col1,
        COALESCE(command_runs.is_rejected, FALSE) AS col2,
        COALESCE(UNIX_MILLIS(command_runs.created_at), 0) AS col3,
        command_runs.command AS col4
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
    ROW_NUMBER() OVER (
      PARTITION BY by_code.machine_id, by_code.program, by_code.exit_code IS NULL OR by_code.exit_code = 0
      ORDER BY by_code.calls DESC, by_code.exit_code NULLS LAST
    ) AS place
  FROM by_code AS by_code
)
SELECT
  placed.machine_id AS machine_id,
  placed.program AS program,
  TRY_CAST(SUM(placed.calls) AS BIGINT) AS calls,
  TRY_CAST(SUM(placed.outcome_known) AS BIGINT) AS outcome_known,
  TRY_CAST(SUM(placed.failed) AS BIGINT) AS failed,
  ROUND(SUM(placed.failed) / NULLIF(SUM(placed.outcome_known), 0), 4) AS failure_rate,
  TRY_CAST(SUM(placed.decision_known) AS BIGINT) AS decision_known,
  TRY_CAST(SUM(placed.rejected) AS BIGINT) AS rejected,
  ROUND(SUM(placed.rejected) / NULLIF(SUM(placed.decision_known), 0), 4) AS rejection_rate,
  TRY_CAST(COALESCE(SUM(CASE WHEN NOT placed.exit_code IS NULL THEN placed.calls END), 0) AS BIGINT) AS exit_code_known,
  nullif(
    array_join(
      transform(
        array_sort(
          collect_list(
            CASE
              WHEN NOT CASE WHEN placed.exit_code <> 0 AND placed.place <= 5 THEN placed.exit_code || ' (' || placed.calls || ')' END IS NULL
              THEN STRUCT(
                placed.place IS NULL AS n0,
                placed.place AS k0,
                CASE WHEN placed.exit_code <> 0 AND placed.place <= 5 THEN placed.exit_code || ' (' || placed.calls || ')' END AS v
              )
            END
          )
        ),
        t -> t.v
      ),
      ', '
    ),
    ''
  ) AS exit_codes,
  MAX(placed.last_used_at) AS last_used_at,
  LEFT(MAX(placed.example).col4, 200) AS example_command,
  any_value(placed.repeats, TRUE) AS repeats
FROM placed AS placed
GROUP BY
  placed.machine_id,
  placed.program;
