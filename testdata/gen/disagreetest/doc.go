// Package disagreetest makes chats whose places disagree, with the list of what a warehouse must hold of them.
//
// A Chat is invented first: who said what, when, in which order, how each tool call ended, what an edited prompt left
// behind. Then each place is given a part of it: rows of bubbles, the list of headers, the agent's graph, the
// document's own map or array, the table of heads. Rows are lost, statuses are old, lists are trimmed or empty, the
// document is a tombstone. What must be in the warehouse (Chat.Want) follows from the invented chat and from what each
// place was given, by the rules of docs/dictionary.md and docs/formats.md. A rule that leaves a case open is no
// expectation.
//
// The package shares no code with what it judges.
package disagreetest
