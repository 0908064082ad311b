SELECT outcome, turns, events, fresh_input_tokens, output_tokens, cost_cents, share_of_cost, with_cost, estimated_turns, estimated_cost_cents FROM billed_by_outcome;
--> done | 3 | 3 | 207 | 12 | 12.5 | 0.0909 | 2 | 1 | 7
--> failed | 1 | 1 | 3 | 4 | 20 | 0.1455 | 1 | 0 | NULL
--> rejected | 1 | 1 | 50 | 6 | 5 | 0.0364 | 1 | 0 | NULL
--> NULL | 0 | 2 | 2 | 2 | 100 | 0.7273 | 2 | 0 | NULL
