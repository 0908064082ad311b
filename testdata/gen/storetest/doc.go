// Package storetest makes Cursor stores for tests, in the manner of net/http/httptest: hand-made ones from
// a list of rows (WriteStore), broken ones (WriteTornPage and others), and whole user directories from a
// seed (New), with every format that Cursor has written and with figures that say what a warehouse made
// of them must hold (Plan.Want).
//
// The figures come from the plan, before anything is written, and by a reading of docs/dictionary.md
// that is this package's own: a second opinion. So it imports nothing of this module. It knows what a
// store looks like and what the warehouse promises; it must never know how the program reads the one or
// makes the other, or both would make the same mistake and agree.
package storetest
