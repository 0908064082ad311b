-- rows that record tokens before those that do not, whatever their day
SELECT day, project, model, input_tokens, output_tokens, with_tokens, messages FROM tokens_by_model;
--> 2025-03-11 00:00:00 | site | NULL | NULL | 7 | 1 | 1
--> 2025-03-10 00:00:00 | site | gpt-5 | 150 | 20 | 2 | 3
--> 2025-03-12 00:00:00 | site | NULL | NULL | NULL | 0 | 1
--> 2025-03-10 00:00:00 | site | sonnet | NULL | NULL | 0 | 1
