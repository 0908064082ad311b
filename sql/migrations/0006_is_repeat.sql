-- To schema version 6: messages say whether they repeat those of another conversation. A model finds that once everything is read again.
ALTER TABLE messages ADD COLUMN IF NOT EXISTS is_repeat BOOLEAN;
UPDATE messages SET is_repeat = false WHERE is_repeat IS NULL;
