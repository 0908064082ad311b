-- shares of the answers that name a model; against a week without any there is no drift
SELECT week, model, answers, share, share_before, drift, known, total FROM model_mix_per_week;
--> 2025-04-07 00:00:00 | gpt-5 | 0 | NULL | NULL | NULL | 0 | 0
--> 2025-03-24 00:00:00 | gpt-5 | 1 | 1 | NULL | NULL | 1 | 1
--> 2025-03-10 00:00:00 | composer-1 | 1 | 0.5 | 0 | 0.5 | 2 | 2
--> 2025-03-10 00:00:00 | gpt-5 | 1 | 0.5 | 0.75 | -0.25 | 2 | 2
--> 2025-03-10 00:00:00 | sonnet | 0 | 0 | 0.25 | -0.25 | 2 | 2
--> 2025-03-10 00:00:00 | NULL | 0 | NULL | NULL | NULL | 2 | 2
--> 2025-03-03 00:00:00 | gpt-5 | 3 | 0.75 | NULL | NULL | 4 | 5
--> 2025-03-03 00:00:00 | sonnet | 1 | 0.25 | NULL | NULL | 4 | 5
--> 2025-03-03 00:00:00 | auto | 0 | 0 | NULL | NULL | 4 | 5
--> 2025-03-03 00:00:00 | NULL | 1 | NULL | NULL | NULL | 4 | 5
--> NULL | gpt-5 | 1 | 1 | NULL | NULL | 1 | 1
-- what was chosen is another matter: neither the subagent nor the empty draft chose
SELECT week, model, chosen, chosen_known, conversations FROM model_mix_per_week WHERE chosen > 0;
--> 2025-04-07 00:00:00 | gpt-5 | 1 | 1 | 1
--> 2025-03-10 00:00:00 | NULL | 1 | 0 | 1
--> 2025-03-03 00:00:00 | gpt-5 | 1 | 2 | 2
--> 2025-03-03 00:00:00 | auto | 1 | 2 | 2
