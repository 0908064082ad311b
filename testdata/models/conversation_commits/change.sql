-- A month of the repository is read again: one commit is gone, one is new.
UPDATE commits SET deleted_at = '2025-06-01 00:00:00+00' WHERE commit_hash = 'rebased in a moment';
INSERT INTO commits (repository_id, commit_hash, authored_at, committed_at, files_changed) VALUES ('r', 'new', '2025-03-10 09:50:00+00', '2025-03-10 09:50:00+00', 0);
INSERT INTO _changed VALUES ('git', '(git/r/2025-03)');
