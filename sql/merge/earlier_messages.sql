-- Says of messages that an earlier version made that nothing says the program wrote them, unless something does.
UPDATE messages SET is_simulated = false WHERE is_simulated IS NULL;
