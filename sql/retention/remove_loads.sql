-- Removes the loads in _removable_loads, with their rows of stores and key families.
DELETE FROM loads WHERE load_id IN (SELECT load_id FROM temp._removable_loads);
DELETE FROM load_stores WHERE load_id IN (SELECT load_id FROM temp._removable_loads);
DELETE FROM key_families WHERE load_id IN (SELECT load_id FROM temp._removable_loads);
