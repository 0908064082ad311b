package main

import "fmt"

// This file has how an error lists what may have been meant.

// listed is how many of several candidates an error names.
const listed = 5

// more counts the candidates that are not named.
func more(n int) string {
	if n <= listed {
		return ""
	}
	return fmt.Sprintf("\n  and %d more", n-listed)
}
