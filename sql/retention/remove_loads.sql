-- Removes the loads in _removable_loads, with their rows of stores, key families and elements.
DELETE FROM loads WHERE load_id IN (SELECT load_id FROM temp._removable_loads);
DELETE FROM load_stores WHERE load_id IN (SELECT load_id FROM temp._removable_loads);
DELETE FROM key_families WHERE load_id IN (SELECT load_id FROM temp._removable_loads);
DELETE FROM load_elements WHERE load_id IN (SELECT load_id FROM temp._removable_loads);
