-- Table: _known_stores
INSERT INTO _known_stores (source_id, store, identity, max_rowid) VALUES ('s1', 'global', 'one', 1);
CREATE TEMP TABLE stage__known_stores AS SELECT * REPLACE ('workspace/w' AS store) FROM _known_stores;
