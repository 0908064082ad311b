SELECT message_id, prompt, models, outcome, is_subagent, parent_conversation_id, events, fresh_input_tokens, output_tokens, cost_cents, with_cost, unassigned FROM billed_by_turn;
--> u2 | Again | m1 | failed | false | NULL | 1 | 3 | 4 | 20 | 1 | 1
--> u1 | Do it | m1, m2 | done | false | NULL | 2 | 101 | 5 | 10 | 1 | 1
--> u3 | Delete it | m1 | rejected | false | NULL | 1 | 3 | 4 | 5 | 1 | 1
--> s1 | Look around | m1 | done | true | a | 1 | 3 | 4 | NULL | 0 | 1
