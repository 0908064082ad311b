-- Made by hand from sql/views/01_source_groups.sql, sha256 ea55c6c78dc04f9186940e008f28be7cd3a655934e748cd75a104efe8fe0adc5
-- Sources that share conversations, with the first source of their group; a source that shares none has no row.
CREATE OR REPLACE TEMPORARY VIEW source_groups AS
WITH pairs AS (
  SELECT machine_id, explode(array(named_struct('a', source_id, 'b', primary_source_id), named_struct('a', primary_source_id, 'b', source_id))) AS pair
  FROM conversation_copies
  WHERE primary_conversation_id IS NULL
), edges AS (
  SELECT machine_id, collect_set(pair) AS edges FROM pairs GROUP BY machine_id
), reach AS ( -- one step further for each pair: no recursive query, which Spark has for UNION ALL alone
  SELECT machine_id,
         explode(aggregate(edges, edges, (known, step) -> array_union(known, flatten(transform(known, k -> transform(filter(edges, e -> e.a = k.b), e -> named_struct('a', k.a, 'b', e.b))))))) AS pair
  FROM edges
)
SELECT r.machine_id, r.pair.a AS source_id, min_by(r.pair.b, struct(s.first_seen_at IS NULL, s.first_seen_at, r.pair.b)) AS first_source_id
FROM reach AS r
LEFT JOIN sources AS s ON s.machine_id = r.machine_id AND s.source_id = r.pair.b
GROUP BY r.machine_id, r.pair.a;
