-- Load n began on the n-th of June, but for the third and the 11th, whose clocks were years back, and the fourth, whose clock was ahead. What began before
-- the tenth is old; the 11th comes after what is not.
INSERT INTO loads (load_id, started_at, status, conversations_new, conversations_changed, conversations_deleted)
SELECT i, CASE i WHEN 3 THEN '2020-01-01 00:00:00+00' WHEN 11 THEN '2020-01-01 00:00:00+00' WHEN 4 THEN '2025-06-08 00:00:00+00' ELSE TIMESTAMPTZ '2025-06-01 00:00:00+00' + INTERVAL 1 DAY * (i - 1) END,
  'partial', 0, 0, 0 FROM range(1, 17) r(i);
UPDATE loads SET status = 'ok' WHERE load_id IN (1, 2);
UPDATE loads SET conversations_new = 7 WHERE load_id = 5;
INSERT INTO load_stores (load_id, source_id, store) VALUES (1, 's1', 'old'), (6, 's1', 'old'), (8, 's1', 'global'), (16, 's1', 'global');
INSERT INTO key_families (load_id, source_id, store, family) VALUES (7, 's1', 'old', 'f');
SET VARIABLE retention_before = epoch_ms(TIMESTAMPTZ '2025-06-10 00:00:00+00');
