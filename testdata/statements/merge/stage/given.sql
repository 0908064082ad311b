-- Table: messages
INSERT INTO messages (conversation_id, message_id) VALUES ('c1', 'm1');
