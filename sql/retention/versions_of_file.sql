-- Lists the versions in _removable that the file $raw_file holds.
SELECT store, table_name, conversation_id, key_type, key, key_bytes, hash, seq FROM temp._removable WHERE raw_file = $raw_file;
