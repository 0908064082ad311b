-- auto: two of three decided. Without a model: the cs edit, and one that nobody decided
FROM edit_acceptance_short;
--> auto | 4 | 3 | 2 | 66.7 | 0
--> NULL | 2 | 1 | 0 | 0 | 0
--> gpt-5 | 1 | 0 | 0 | NULL | 0
