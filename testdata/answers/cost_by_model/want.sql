-- sonnet: 70 of 80 cents; a request of it cost 50 / 5 where both are known. gpt-4o: (10 + 0) / (4 + 1), the three requests of unknown cost apart
SELECT model, cost_cents, share, requests, cents_per_request, conversations, cost_known, with_cost, live_total FROM cost_by_model;
--> sonnet | 70 | 0.875 | 5 | 10 | 2 | 2 | 3 | 5
--> gpt-4o | 10 | 0.125 | 8 | 2 | 3 | 2 | 3 | 5
