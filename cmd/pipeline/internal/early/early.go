// Package early does what must be done before Go begins: it ends the program by its own exit code when a signal comes
// that early, and says in a sentence what the runtime would say in a dump. It needs cgo; without it, and on other
// systems than Linux and macOS, it does nothing.
//
// It cannot help before the system has loaded the program, nor where the system gives no thread or no memory later on.
package early
