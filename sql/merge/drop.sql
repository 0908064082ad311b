-- Drops the temporary tables that list what a merge has changed.
DROP TABLE IF EXISTS temp._changed;
DROP TABLE IF EXISTS temp._changed_groups;
DROP TABLE IF EXISTS temp._stores;
DROP TABLE IF EXISTS temp._forgotten;
DROP TABLE IF EXISTS temp._read_sources;
DROP TABLE IF EXISTS temp._recalled;
DROP TABLE IF EXISTS temp._copied;
