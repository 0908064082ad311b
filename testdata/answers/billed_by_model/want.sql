-- m1: 37.5 cents for the prompts u1 (two requests) and u2 of a, and u1 of b
SELECT model, events, fresh_input_tokens, output_tokens, cost_cents, with_cost, estimated_turns, estimated_cost_cents, cents_per_prompt FROM billed_by_model;
--> m1 | 5 | 254 | 22 | 136.5 | 5 | 0 | NULL | 12.5
--> m2 | 2 | 8 | 2 | 1 | 1 | 0 | NULL | NULL
--> m3 | 0 | NULL | NULL | NULL | 0 | 1 | 7 | NULL
