EXECUTE answer;
--> message_model | 1 | 2
--> message_time | 1 | 3
--> message_tokens | 1 | 2
