-- Merges stage_quarantine: reopens resolved rows that came back, and adds new ones. quarantine has one entry for each row and content.
UPDATE quarantine AS o SET resolved_load_id = NULL
WHERE o.resolved_load_id IS NOT NULL
  AND EXISTS (
    FROM temp.stage_quarantine s
    WHERE s.source_id = o.source_id AND s.store = o.store AND s.key IS NOT DISTINCT FROM o.key AND s.value_hash = o.value_hash);
INSERT INTO quarantine FROM temp.stage_quarantine s
WHERE NOT EXISTS (
  FROM quarantine o
  WHERE s.source_id = o.source_id AND s.store = o.store AND s.key IS NOT DISTINCT FROM o.key AND s.value_hash = o.value_hash);
