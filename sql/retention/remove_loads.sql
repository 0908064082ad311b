-- Removes the loads of _removable_loads, with what they say of stores and of key families.
DELETE FROM loads WHERE load_id IN (SELECT load_id FROM temp._removable_loads);
DELETE FROM load_stores WHERE load_id IN (SELECT load_id FROM temp._removable_loads);
DELETE FROM key_families WHERE load_id IN (SELECT load_id FROM temp._removable_loads);
