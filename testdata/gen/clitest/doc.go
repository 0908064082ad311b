// Package clitest makes homes of Cursor's command line for tests: a folder `.cursor` with chats, each a store.db and a
// meta.json, and with transcripts.
//
// A Home is a plain description. Write makes a folder agree with it, and Want says which rows a warehouse of that
// folder must hold. Both follow from the description alone: this package shares no code with the reader that it judges.
// Of this module it imports graphtest, which writes the graph of a chat, and transcripttest, which writes what is in a
// transcript.
//
// Cases is one home with a chat for each named shape, Spoken one with a transcript for each; Random and RandomSpoken
// make a home from a seed; Night and SpokenNight change a home as a night of work does; Live is a command line that
// writes beside a test.
package clitest

// Null is the value of a column that must be NULL.
const Null = "NULL"

// Secret is the key of chats that have one. No warehouse may hold it. In most stores it is written as hex.
const Secret = "canary-k3y-0f-th3-bl0bs-never-keep-it"
