// Package failpoint has moments at which a test lets a program fail.
//
// It knows how a program fails at one, and must never know what it was about to do: each package names the moments of
// its own work.
package failpoint

// A Point is a moment of a run. Only a program that is built with the tag failpoints can fail there: with
// PIPELINE_FAILPOINT=NAME=kill in the environment it kills itself, with NAME=error Reach returns an error. In every
// other program, the compiler removes the call.
type Point string
