-- Notes in _changes the tables that the variable changed_tables lists, and the months of messages that have changed for the tool calls, which are where their messages are. It
-- forgets what nobody asks for any more. The variable load_id is the load.
INSERT INTO _changes (load_id, table_name) SELECT getvariable('load_id'), unnest(getvariable('changed_tables'));
INSERT INTO _changes
SELECT load_id, 'tool_calls', month, source_id, conversation_id FROM _changes WHERE load_id = getvariable('load_id') AND table_name = 'messages'
EXCEPT FROM _changes;
DELETE FROM _changes WHERE load_id < (SELECT min(load_id) FROM loads WHERE started_at > (SELECT max(started_at) - INTERVAL 400 DAYS FROM loads));
