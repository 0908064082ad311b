-- A day that two sources count, one of them without what Tab suggested; a day on which the composer suggested nothing.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO daily_edit_stats (source_id, date, tab_suggested_lines, tab_accepted_lines, composer_suggested_lines, composer_accepted_lines) VALUES
    ('s1', '2025-03-10', 30, 10, 100, 50), ('s2', '2025-03-10', NULL, 7, 100, 90), ('s1', '2025-03-11', NULL, NULL, 0, 0);
