-- Returns whether deleted rows take more than a fifth of the places in one of the largest tables. A row that this transaction has added has no place yet: its rowid is
-- above all others.
WITH places AS (
    SELECT max(rowid) + 1 AS places, count(*) AS rows FROM messages WHERE rowid < 36028797018960000
    UNION ALL
    SELECT max(rowid) + 1, count(*) FROM tool_calls WHERE rowid < 36028797018960000
)
SELECT coalesce(bool_or(rows < 0.8 * places), false) FROM places;
