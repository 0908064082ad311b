FROM cost_per_prompt_short;
--> m1 | 3 | 2 | 0.3 | 0.2 | 0.15
--> m2 | 1 | 1 | 0.05 | 0 | 0.05
