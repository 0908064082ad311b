-- Each event once, with the cells of the newest file that has them.
SELECT event_id, kind, kind_raw, person, fresh_input_tokens AS fresh, output_tokens AS out, total_tokens AS total, cost_cents AS cost, max_mode, is_counted FROM usage_events WHERE occurred_at < '2025-08-11 00:00:00+00' ORDER BY event_id;
--> a9 | free | Free credit | ann | 1 | 1 | NULL | NULL | NULL | true
--> b9 | included | Included in Pro | bob | 1 | 1 | NULL | NULL | NULL | true
--> n1 | included | Included | ann | 3 | 4 | 10 | 4 | false | true
--> n2 | on_demand | On-Demand | NULL | 1 | 1 | NULL | 6 | NULL | true
--> n3 | on_demand | On-Demand | NULL | 1 | 1 | NULL | 6 | NULL | true
--> n4 | free | Free | NULL | 1 | 1 | NULL | NULL | NULL | true
--> n5 | included | Included | ann | 3 | 5 | 11 | NULL | true | true
--> n6 | included | Included | ann | 3 | 6 | 12 | NULL | false | true
--> n7 | errored | Errored, No Charge | NULL | 0 | 0 | 0 | NULL | false | false
--> n8 | unknown | User API Key | NULL | 3 | 4 | 10 | 7 | false | true
SELECT event_id, fresh_input_tokens, output_tokens, is_counted FROM usage_events WHERE file = 'dots.csv';
--> d2 | NULL | 7 | true
-- The export's events name nobody beside some that do: e1 is joined to no prompt, but its counts are those that the hook tells of.
SELECT event_id, kind, kind_raw, max_mode, cost_cents, message_id, is_counted FROM usage_events WHERE occurred_at > '2025-08-12 00:00:00+00' ORDER BY event_id;
--> e1 | on_demand | On-Demand | true | 9 | NULL | false
--> e2 | included | Included | false | NULL | NULL | false
--> h1 | on_demand | On-Demand | true | 9 | c1 | true
--> h2 | unknown | completed | NULL | NULL | NULL | true
--> p1 | included | Included | false | 8 | NULL | true
