SELECT project, model, conversations, with_context, tokens_avg, tokens_p50, tokens_p95, tokens_max, with_limit, share_of_limit FROM context_size;
--> site | gpt-5 | 4 | 3 | 30000 | 20000 | 60000 | 60000 | 2 | 0.1
--> other | auto | 1 | 1 | 5 | 5 | 5 | 5 | 0 | NULL
--> other | NULL | 1 | 0 | NULL | NULL | NULL | NULL | 0 | NULL
