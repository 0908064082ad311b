-- Notes in _changes the tables that the variable changed_tables lists. It forgets what nobody asks for any more. The variable load_id is the load.
INSERT INTO _changes (load_id, table_name) SELECT getvariable('load_id'), unnest(getvariable('changed_tables'));
DELETE FROM _changes WHERE load_id < (SELECT min(load_id) FROM loads WHERE started_at > (SELECT max(started_at) - INTERVAL 400 DAYS FROM loads));
