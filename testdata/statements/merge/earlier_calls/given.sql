-- As an earlier version made them: one failed, and its row says false; one failed and was cancelled; one has an outcome.
INSERT INTO tool_calls (message_id, status, exit_code, error, user_decision, is_error, outcome) VALUES
    ('failed', 'completed', 1, NULL, NULL, false, NULL), ('cancelled', 'cancelled', NULL, 'stopped', NULL, NULL, NULL), ('rejected', 'error', NULL, NULL, 'rejected', NULL, NULL),
    ('ok', 'success', 0, NULL, NULL, false, NULL), ('loading', 'loading', NULL, NULL, NULL, NULL, NULL), ('nothing', NULL, NULL, NULL, NULL, NULL, NULL),
    ('by its message', NULL, NULL, NULL, NULL, true, NULL), ('aborted', 'completed', NULL, 'x', NULL, NULL, 'aborted');
