EXECUTE answer;
--> message_model | 0 | 4
--> message_time | 4 | 5
