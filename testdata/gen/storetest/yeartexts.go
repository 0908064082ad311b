package storetest

import "strings"

// What a developer and models write in a year, invented. {area} and the like are fields of the topic.

// filled is a text with the fields of a topic in their places.
func (t *topic) filled(p *yearProject, text string) string {
	return strings.NewReplacer("{area}", t.area, "{file}", t.file, "{other}", t.other, "{symbol}", t.symbol, "{bug}",
		t.bug, "{seen}", t.seen, "{cause}", t.cause, "{fix}", t.fix, "{wish}", t.wish, "{Wish}", upper(t.wish), "{how}",
		t.how, "{test}", t.test, "{testfile}", p.testFile(t.file), "{command}", p.command, "{project}", p.name,
		"{Cause}", upper(t.cause), "{Area}", upper(t.area), "{Test}", "Test"+strings.ReplaceAll(t.symbol, ".", "")).
		Replace(text)
}

// upper begins a text with a capital letter, unless its first word is a name.
func upper(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if strings.ToLower(word) != word || strings.Contains(word, ".") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// yearTexts are what is written for each purpose.
var yearTexts = map[string][]string{
	"fix": {"{seen}. Can you find out why, and fix it?",
		"{seen}. It began with the last release. Find the cause first, then fix it.",
		"A customer wrote: \"{seen}.\" Reproduce it with a test, then fix it.",
		"{seen}. I think that it has to do with {symbol}, but I am not sure.", "Bug: {seen}. Please look at {file}."},
	"wish": {"{wish}. Keep it small, I want to ship it today.", "{wish}. Look at {other} for how we did it before.",
		"Next on the list: {wish}. Start with {file}.", "{wish}, please. Tell me first how you would do it.",
		"{wish}. No new dependency, please."},
	"test": {"Write tests for {symbol}. One case must be {test}.",
		"The {area} has hardly any test. Add a table of cases, among them {test}.",
		"Add a test for {test}; it should fail before the fix of last week."},
	"tidy": {"{file} has grown too long. Split it without changing what it does.",
		"Simplify {symbol}: it does three things. {other} should have one of them.",
		"Remove the dead code around {symbol}, then run the tests."},
	"explain": {"Explain the {area} to me. I have to explain it to a new colleague tomorrow.",
		"Where is {symbol} called, and what happens in the case of {test}?",
		"Why is {other} needed at all? What would break without it?"},
	"review": {"Review my changes to {file} before I push them.",
		"Look at the diff of this branch. Is {test} covered?",
		"Jonas asks for a review of the {area}. Read it and list what could go wrong."},
	"found2": {"It was the case of {test}: `{symbol}` did not expect it. Fixed in `{file}`, and a test covers it now.",
		"`{other}` called `{symbol}` at the wrong time. I moved the call, and the test for {test} passes.",
		"The measurements say that `{symbol}` was called for each item. It is called once now."},
	"built2": {"It is in `{file}` now, with a test. I left `{other}` as it was.",
		"Done, in two files. The default is what it did before.", "That is in place. {Area}: nothing else changes."},
	"plan": {"{wish}. Make a plan first, do not change anything yet."},
	"chore": {"CI is red on main since this morning. Find out which commit broke it.",
		"Upgrade the dependencies, one by one, and run the tests after each.",
		"Write the release notes for this week from the commits.",
		"The build of the image takes nine minutes. What can be cached?",
		"Fix the warnings of the linter in the files that I changed this week."},

	"no": {"No. Leave {other} alone, only {symbol} is to be changed.", "That is not what I meant: {fix}.",
		"I rejected that edit: it changes what {symbol} returns. Try again without it."},
	"again": {"The test for {test} still fails, please fix it.", "It still fails: the test for {test}. Please fix it.",
		"Please fix it, the test for {test} still fails!"},

	"think": {"The symptom points at {symbol}. I should read {file} before I guess.",
		"There are two places that could do this: {file} and {other}. The second only calls the first.",
		"If {cause}, then {test} must fail as well. A test will tell.",
		"I should keep the signature of {symbol}, as {other} depends on it.",
		"The simplest change is to {fix}. Anything more can wait.",
		"Let me look at how {other} uses the result before I change it.",
		"The tests of {file} show what is expected here."},
	"look": {"Let me look at {file}.", "I will read {symbol} first.", "First, where {symbol} is used."},
	"found": {"The cause: {cause}. The fix is to {fix}. I changed `{symbol}` in `{file}`, and the tests pass.",
		"Found it. {Cause}. `{symbol}` is changed now ({fix}), and there is a test for {test}.",
		"{Cause}. I reproduced it with a test for {test}, which failed before the change and passes now."},
	"built": {"Done: {how}. The change is in `{file}`, with a test for {test}.",
		"It works: {how}. I left `{other}` as it was.",
		"{Wish}: this is in place now. In short, {how}. Two files changed."},
	"tested": {"There are four new cases in `{testfile}`, among them {test}. All pass.",
		"I added the test for {test}. It failed once, which was a mistake in the test itself; now it passes."},
	"tidied": {"`{symbol}` is in two functions now, and `{other}` has the part that it needs. No behaviour changed; " +
		"the tests pass.", "I removed 64 lines that nothing called. The tests pass."},
	"explained": {"In short: `{file}` has the {area}. `{symbol}` does the work, and `{other}` calls it. The odd case " +
		"is {test}: there, {fix}.", "`{symbol}` is called in two places, both in `{other}`. In the case of {test} it " +
		"returns early.",
		"Without `{other}`, this would happen: {seen}. It was written for that."},
	"reviewed": {"Three remarks. 1. `{symbol}` does not handle {test}. 2. The error has no context. 3. A comment in " +
		"`{other}` is out of date.", "It looks good. One thing: {test} is not covered. Shall I add it?"},
	"chored": {"The job fails since the commit of last night: a test depends on the order of files. I sorted them; " +
		"it passes now.", "All dependencies are up to date but one, which needs a newer compiler. The tests pass.",
		"The notes are in the changelog: two features, three fixes.",
		"The layer with the modules is built first now; a build without new modules takes two minutes.",
		"The linter has nothing more to say about these files."},
	"done": {"Done. The tests pass.", "I changed it in `{file}`, and the tests pass.",
		"That is in place now, with a test for {test}."},
	"failed": {"The tests fail: {test} is not handled. I will change `{symbol}`.",
		"One test fails still. It expects the old behaviour."},
	"error":  {"The connection was lost."},
	"commit": {"{bug}: {fix}", "{Area}: {fix}", "{wish}", "Test {test}", "Tidy {symbol}", "{Area}: handle {test}"},
}

// outputs are what the tests of a language print when they pass and when they fail.
var outputs = map[string][2]string{
	"go": {"ok  \t{project}/internal\t0.412s\nok  \t{project}/cmd\t1.044s",
		"--- FAIL: {Test} (0.02s)\n    {testfile}:48: {test}: got 3, want 2\nFAIL\nexit status 1"},
	"ts": {" Test Files  14 passed (14)\n      Tests  96 passed (96)\n   Duration  4.31s",
		" FAIL  {testfile} > {test}\nAssertionError: expected 3 to be 2\n Tests  1 failed | 95 passed (96)"},
	"py": {"........................................ [100%]\n61 passed in 3.02s",
		"FAILED {testfile}::test_{symbol} - AssertionError: {test}\n1 failed, 60 passed in 3.10s"},
	"swift": {"Test Suite 'All tests' passed.\n\t Executed 48 tests, with 0 failures",
		"error: {test}: XCTAssertEqual failed: (\"3\") is not equal to (\"2\")\n\t Executed 48 tests, with 1 failure"},
}

// commands are other commands that are run, what they print, and with which code they sometimes end.
var commands = []struct {
	command, good, bad string
	code               int
}{
	{"git status --short", " M {file}\n M {testfile}", "fatal: not a git repository", 128},
	{"git diff --stat", " {file} | 14 ++++++++++----\n 1 file changed, 10 insertions(+), 4 deletions(-)", "", 1},
	{"git log --oneline -8 -- {file}", "4c1f0aa Tidy {symbol}\n91be2d7 {wish}\n0f83c11 Test {test}", "", 128},
	{"docker compose up -d db", "Container db  Started", "Error response from daemon: port is already allocated", 1},
	{"make lint", "0 issues.", "{file}:31:2: unused variable\nmake: *** [lint] Error 1", 2},
	{"rg -n {symbol} --stats", "{file}:12\n{other}:40\n2 matches", "", 1},
	{"curl -fsS localhost:8080/healthz", "{\"ready\":true}", "curl: (7) Failed to connect to localhost port 8080", 7},
}

// variants are what else there is to fix and to wish for in a topic when the first thing is done: a title and what is
// asked.
var variants = map[string][][2]string{
	"fix": {{"{symbol} fails for {test}", "{symbol} fails for {test}. The log says only that the result was " +
		"unexpected. Can you fix it?"},
		{"Flaky test in {testfile}", "The test for {test} in {testfile} fails one time in twenty. Find out why."},
		{"Errors of {other} are swallowed", "An error in {other} never reaches the log. Make it visible, with its " +
			"cause."},
		{"{Area}: slow since Monday", "The {area} became slow on Monday: the 95th percentile went from 80 to 420 ms. " +
			"Measure before you change anything."}},
	"wish": {{"Metrics for the {area}", "Add metrics for the {area}: how often, how long, how many errors."},
		{"Make {symbol} configurable", "The limit in {symbol} must be a setting. Keep what it is today as the " +
			"default."},
		{"Feature flag for the {area}", "Put the new behaviour of the {area} behind a flag that is off by default."},
		{"Document the {area}", "Write a page about the {area}: what it does, what it does not do, and one example."}},
}

// A nextTurn is what a developer asks for when the first thing is done: what is to be done (test: a test, run: the
// tests, words: nothing, here and there: a change in the topic's file or in the other one), and what the model says
// when it is.
type nextTurn struct{ does, asks, says string }

var nextTurns = []nextTurn{
	{"test", "Add a test for {test}.", "I added it to `{testfile}`. It passes."},
	{"test", "Good. Now write a test for it.", "There is one now, in `{testfile}`: {test}."},
	{"run", "Please run all tests.", "All tests pass."},
	{"run", "Does this still work for {test}?", "Yes, I ran that case by itself."},
	{"words", "Write the commit message.", "{Area}: {fix}\n\n{Cause}. A test covers {test}."},
	{"words", "What did you change in {other}, and why?",
		"Only the call of `{symbol}`: it passes the new argument. Nothing else in `{other}` changed."},
	{"words", "Could this break anything for those who use it today?",
		"No: the signature of `{symbol}` is what it was, and so is the default. Only {test} behaves otherwise."},
	{"here", "Use a shorter name for the new helper in {file}.", "It has a shorter name now."},
	{"here", "Now update the comment of {symbol}.", "The comment says what it does now, and names the case of {test}."},
	{"here", "Can this be simpler?", "It is shorter now: two branches were the same."},
	{"here", "Put that into a function of its own.", "It is a function of its own, next to `{symbol}`."},
	{"here", "Log it when that happens, with the id of the request.",
		"It is logged once for each request, as a warning."},
	{"here", "Return an error there, do not panic.", "`{symbol}` returns an error now, with its cause."},
	{"there", "Do the same in {other}.", "`{other}` does the same now."},
	{"there", "Undo the change in {other}, it is not needed.", "`{other}` is as it was."},
	{"there", "{other} has a copy of this. Remove it.", "The copy is gone; `{other}` calls `{symbol}`."},
}
