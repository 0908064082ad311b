package objects

// share does nothing: on Windows, what is made has the permissions of its folder.
func share(string) error { return nil }
