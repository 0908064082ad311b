// Package failpoint has moments at which a test has a program fail.
//
// It knows how a program fails at one, and must never know what it was about to do: each package names the moments of its own work.
package failpoint

// A Point is a moment of a run. Only a program that is built with the tag failpoints stops there: if the environment has
// PIPELINE_FAILPOINT=NAME=kill it kills itself, with NAME=error the run meets an error. Every other program goes on, and the compiler
// leaves nothing of the call.
type Point string
