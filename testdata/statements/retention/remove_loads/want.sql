SELECT 'loads', load_id FROM loads UNION ALL SELECT 'load_stores', load_id FROM load_stores UNION ALL SELECT 'key_families', load_id FROM key_families UNION ALL SELECT 'load_elements', load_id FROM load_elements ORDER BY ALL;
--> key_families | 2
--> load_elements | 2
--> load_stores | 2
--> loads | 2
