-- Drops the temporary tables by which a merge knew what has changed.
DROP TABLE IF EXISTS temp._changed;
DROP TABLE IF EXISTS temp._changed_groups;
DROP TABLE IF EXISTS temp._stores;
DROP TABLE IF EXISTS temp._forgotten;
