SELECT model, prompts, with_cost, with_charge, mean_cents, median_cents, p95_cents, worth_cents, charged_cents, mean_input_tokens, mean_output_tokens FROM cost_per_prompt;
--> m1 | 3 | 2 | 1 | 15 | 15 | 19.5 | 30 | 20 | 200 | 20
--> m2 | 1 | 1 | 1 | 5 | 5 | 5 | 5 | 0 | 1 | 1
