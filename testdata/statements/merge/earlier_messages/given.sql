INSERT INTO messages (message_id, is_simulated) VALUES ('a', NULL), ('b', true), ('c', false);
