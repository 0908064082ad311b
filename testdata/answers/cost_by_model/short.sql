-- 70 and 10 of 80 cents
FROM cost_by_model_short;
--> sonnet | 0.7 | 87.5 | 5 | 2 | 2
--> gpt-4o | 0.1 | 12.5 | 8 | 3 | 2
