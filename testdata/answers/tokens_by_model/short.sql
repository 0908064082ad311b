-- days and projects together: of two messages that name no model one records 7 tokens
FROM tokens_by_model_short;
--> gpt-5 | 150 | 20 | 3 | 2
--> NULL | NULL | 7 | 2 | 1
--> sonnet | NULL | NULL | 1 | 0
