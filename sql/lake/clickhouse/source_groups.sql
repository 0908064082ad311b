-- Made by hand from sql/views/01_source_groups.sql, sha256 ea55c6c78dc04f9186940e008f28be7cd3a655934e748cd75a104efe8fe0adc5
-- Sources that share conversations, with the first source of their group; a source that shares none has no row.
CREATE OR REPLACE VIEW source_groups AS
WITH edges AS (
  SELECT machine_id,
         groupUniqArrayArray([(assumeNotNull(source_id), assumeNotNull(primary_source_id)), (assumeNotNull(primary_source_id), assumeNotNull(source_id))]) AS edges
  FROM conversation_copies
  WHERE primary_conversation_id IS NULL
  GROUP BY machine_id
), reach AS ( -- one step further for each pair: no recursive query, which ClickHouse has for UNION ALL alone
  SELECT machine_id,
         arrayJoin(arrayFold((known, step) -> arrayDistinct(arrayConcat(known, arrayFlatten(arrayMap(k -> arrayMap(e -> (k.1, e.2), arrayFilter(e -> e.1 = k.2, edges)), known)))), edges, edges)) AS pair
  FROM edges
)
SELECT r.machine_id AS machine_id, r.pair.1 AS source_id, argMin(r.pair.2, (s.first_seen_at IS NULL, s.first_seen_at, r.pair.2)) AS first_source_id
FROM reach AS r
LEFT JOIN sources AS s ON s.machine_id = r.machine_id AND s.source_id = r.pair.2
GROUP BY machine_id, source_id
SETTINGS join_use_nulls = 1;
