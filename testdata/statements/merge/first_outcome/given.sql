INSERT INTO conversations (conversation_id) VALUES ('c1'), ('c2');
INSERT INTO quarantine (key) VALUES ('k');
