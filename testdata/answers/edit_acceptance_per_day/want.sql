-- the 7 lines without a number of suggested ones are in the sum, not in the rate
SELECT CAST(date AS VARCHAR), sources, tab_known, tab_suggested_lines, tab_accepted_lines, tab_acceptance_rate FROM edit_acceptance_per_day;
--> 2025-03-11 | 1 | 0 | NULL | NULL | NULL
--> 2025-03-10 | 2 | 1 | 30 | 17 | 0.3333

SELECT CAST(date AS VARCHAR), composer_known, composer_suggested_lines, composer_accepted_lines, composer_acceptance_rate FROM edit_acceptance_per_day;
--> 2025-03-11 | 1 | 0 | 0 | NULL
--> 2025-03-10 | 2 | 200 | 140 | 0.7
