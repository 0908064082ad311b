-- Lists the files of the raw layer that hold a version in _removable.
SELECT DISTINCT raw_file FROM temp._removable;
