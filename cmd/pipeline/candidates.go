package main

import "fmt"

// This file lists candidates in an error.

// listed is how many candidates an error names.
const listed = 5

// more says how many candidates are not named.
func more(n int) string {
	if n <= listed {
		return ""
	}
	return fmt.Sprintf("\n  and %d more", n-listed)
}
