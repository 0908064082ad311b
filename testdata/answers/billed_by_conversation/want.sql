SELECT conversation_id, title, project, is_subagent, parent_conversation_id, models, events, fresh_input_tokens, cost_cents, with_cost, estimated_cost_cents, subagents, subagents_cost_cents, total_cost_cents
    FROM billed_by_conversation;
--> a | Cart | shop | false | NULL | m1 | 3 | 203 | 32.5 | 3 | NULL | 1 | NULL | 32.5
--> b | Post | blog | false | NULL | m1 | 1 | 50 | 5 | 1 | NULL | 0 | NULL | 5
--> gone | NULL | NULL | false | NULL | m2 | 1 | 1 | 1 | 1 | NULL | 0 | NULL | 1
--> c | Chat | NULL | false | NULL | m3 | 0 | NULL | NULL | 0 | 7 | 0 | NULL | NULL
--> sub | Look | shop | true | a | m2 | 1 | 7 | NULL | 0 | NULL | 0 | NULL | NULL
-- once the parent's own events are not known, it has a row for what its subagent cost
UPDATE usage_events SET is_counted = false WHERE conversation_id = 'a';
--> 4
UPDATE usage_events SET cost_cents = 3 WHERE conversation_id = 'sub';
--> 1
SELECT conversation_id, title, models, events, cost_cents, subagents, subagents_cost_cents, total_cost_cents FROM billed_by_conversation WHERE project = 'shop';
--> a | Cart | NULL | 0 | NULL | 1 | 3 | 3
--> sub | Look | m2 | 1 | 3 | 0 | NULL | 3
