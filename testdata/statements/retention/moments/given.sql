-- Loads began on the first, the second, the fifth and the sixth, and wrote the parts 1, 2, 3 and 4, and 5.
CREATE TEMP TABLE _replays (seq BIGINT, started_at TIMESTAMPTZ);
INSERT INTO _replays VALUES (0, '2025-06-01 00:00:00+00'), (1, '2025-06-02 00:00:00+00'), (2, '2025-06-05 00:00:00+00'), (4, '2025-06-06 00:00:00+00');
INSERT INTO conversations (conversation_id, deleted_at) VALUES ('c1', '2025-06-05 00:00:00+00'), ('c2', NULL), ('c3', '2025-06-06 00:00:00+00');
INSERT INTO messages (conversation_id, message_id, deleted_at) VALUES
  ('c1', 'm1', '2025-06-05 00:00:00+00'), ('c1', 'm2', '2025-06-02 00:00:00+00'), ('c2', 'm1', NULL);
-- What names the conversation of a code_diff is keyed_by.
INSERT INTO code_diffs (diff_id, conversation_id, keyed_by, deleted_at) VALUES ('d', 'c1', 'c4', '2025-06-06 00:00:00+00');
-- It was deleted by a load of which the layer has no file: the next one counts.
INSERT INTO checkpoints (conversation_id, checkpoint_id, deleted_at) VALUES ('c5', 'k', '2025-06-03 00:00:00+00');
-- No load of the layer is as late as that.
INSERT INTO checkpoints (conversation_id, checkpoint_id, deleted_at) VALUES ('c6', 'k', '2025-06-07 00:00:00+00');
