package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"pipeline/pipelines"
	"pipeline/pipelines/file"
)

// This file adds what the library does not do with a command line: flags after arguments, and errors that suggest a
// correction.

// flagsFirst moves flags before the positional arguments: the library does not parse flags after them.
func flagsFirst(app *cli.App, args []string) []string {
	if len(args) > 1 && args[1] == "help" { // as of git, go and others
		args = append(append([]string{args[0]}, args[2:]...), "--help")
	}
	if len(args) < 3 || args[len(args)-1] == "--generate-bash-completion" {
		// the library looks for it as the last argument
		return args
	}
	command, first := commandOf(app, args)
	if command == nil || len(command.Subcommands) > 0 {
		return args // of a group, the word is wrong that should name one of its commands, and not what follows
	}
	takesValue := map[string]bool{}
	for _, f := range command.Flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name] = !isBool
		}
	}
	out := args[:first:first]
	var positional []string
	for rest := args[first:]; len(rest) > 0; {
		arg := rest[0]
		rest = rest[1:]
		switch {
		case strings.HasPrefix(arg, "-- ") || strings.HasPrefix(arg, "--\n"): // a query that begins with a comment
			positional = append(positional, arg)
		case arg == "--":
			positional = append(append(positional, "--"), rest...)
			rest = nil
		case len(arg) > 1 && arg[0] == '-':
			name := strings.TrimLeft(arg, "-")
			if slices.Contains(cli.HelpFlag.Names(), name) {
				// The library would look for a command that is called like the first argument.
				return append(args[:first:first], arg)
			}
			out = append(out, arg)
			if takesValue[name] && len(rest) > 0 {
				out = append(out, rest[0])
				rest = rest[1:]
			}
		default:
			positional = append(positional, arg)
		}
	}
	if len(positional) > 0 && strings.HasPrefix(positional[0], "-") && positional[0] != "--" {
		out = append(out, "--")
	}
	return append(out, positional...)
}

// commandOf is the command of a command line, or its subcommand, and the number of the argument after it; nil and 1 for
// none.
func commandOf(app *cli.App, args []string) (command *cli.Command, first int) {
	for first = 1; first < min(len(args), 3); first++ {
		next := app.Command(args[first])
		if first == 2 {
			next = command.Command(args[first]) // of a group
		}
		if next == nil {
			break
		}
		command = next
	}
	return command, first
}

// otherWords are words of other tools for what a command does.
var otherWords = map[string][]string{
	"run":                     {"sync", "load", "import", "ingest", "etl", "extract", "update", "refresh"},
	"sql":                     {"query", "ask", "duckdb", "shell"},
	"answers":                 {"stats", "summary", "questions", "insights"},
	"answers billed_by_month": {"usage", "cost", "costs", "spend", "tokens", "billing", "money", "price"},
	"search":                  {"find", "grep"},
	"show --last":             {"ls", "list", "chats", "conversations", "view", "cat"},
	"report":                  {"dashboard", "ui", "web", "page", "html"},
	"push":                    {"upload", "share", "backup"},
	"schedule":                {"cron", "timer", "nightly"},
	"schedule remove":         {"uninstall"},
	"discover":                {"scan", "where", "sources"},
	"check":                   {"test", "verify", "validate"},
}

// otherWord names the command that a word of another tool means; "" if it is not known.
func otherWord(word string) string {
	for command, words := range otherWords {
		if slices.Contains(words, strings.ToLower(word)) {
			return fmt.Sprintf("; what it means is 'pipeline %s'", command)
		}
	}
	return ""
}

// withoutArguments refuses arguments for a command that takes none. Otherwise an argument, such as a warehouse, would
// be ignored.
func withoutArguments(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if c.NArg() == 0 {
			return action(c)
		}
		message := fmt.Sprintf("%s takes no argument %q", c.Command.Name, c.Args().First())
		if slices.ContainsFunc(c.Command.Flags,
			func(f cli.Flag) bool { return slices.Contains(f.Names(), "warehouse") }) {
			message += ": name the warehouse with --warehouse"
		}
		return usage("%s", message)
	}
}

// libraryFlag is how the library names a flag.
var libraryFlag = regexp.MustCompile(`(flag |argument: )(-[a-z-]{2,})`)

// usageError suggests a flag if there is none with the given name.
func usageError(c *cli.Context, err error, _ bool) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	switch {
	case !unknown:
		return usage("%s", libraryFlag.ReplaceAllString(err.Error(), "$1-$2"))
	case name == "retention":
		return usage("there is no --retention: %s", file.NoRetention)
	}
	given := "--" + name
	if len(name) == 1 {
		given = "-" + name
	}
	flags := c.App.Flags
	group := c.Command != nil && len(c.Command.Subcommands) > 0
	switch isApp := c.Command == nil || c.Command.Name == c.App.Name; {
	case isApp:
		if of := commandWith(c.App, name); of != "" {
			return usage("--%[1]s goes after a command: pipeline %[2]s --%[1]s", name, of)
		}
	case len(c.Command.Flags) > 0 && !group:
		flags = c.Command.Flags
	case group:
		var forms []string
		for _, s := range c.Command.VisibleCommands() {
			forms = append(forms, s.Name)
		}
		return usage("there is no flag %s: after 'pipeline %s' comes one of %s", given, c.Command.Name,
			strings.Join(forms, ", "))
	}
	var names []string
	for _, f := range flags {
		if visible, ok := f.(cli.VisibleFlag); !ok || visible.IsVisible() {
			names = append(names, "--"+f.Names()[0])
		}
	}
	return usage("there is no flag %s%s", given, pipelines.DidYouMean("--"+name, names))
}

// commandWith is the first command that has a flag; "" if none has.
func commandWith(app *cli.App, flag string) string {
	for _, c := range app.Commands {
		for _, f := range c.Flags {
			if slices.Contains(f.Names(), strings.TrimLeft(flag, "-")) {
				return c.Name
			}
		}
	}
	return ""
}

func didYouMean(commands []*cli.Command, name string) string {
	var names []string
	for _, c := range commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	return pipelines.DidYouMean(name, names)
}

// wantsSubcommand is the action of a command that is only a group of others. Its error lists them, or says that there
// is none of the given name (%q).
func wantsSubcommand(none, unknown string) cli.ActionFunc {
	return func(c *cli.Context) error {
		if given := c.Args().First(); given != "" {
			return usage("%s%s", fmt.Sprintf(unknown, given), didYouMean(c.Command.Subcommands, given))
		}
		return usage("%s", none)
	}
}

// completions are scripts that ask this program (--generate-bash-completion) for the next words.
var completions = map[string]string{
	"bash": `_pipeline() {
  local cur="${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[@]:0:COMP_CWORD}" "$cur" --generate-bash-completion 2>/dev/null)" -- "$cur"))
}
complete -o bashdefault -o default -F _pipeline pipeline
`,
	"zsh": `#compdef pipeline
_pipeline() {
  local -a opts
  opts=("${(@f)$(${words[@]:0:$((CURRENT-1))} ${words[CURRENT]} --generate-bash-completion 2>/dev/null)}")
  compadd -- $opts
}
compdef _pipeline pipeline
`,
	"fish": `complete -c pipeline -n __fish_use_subcommand -f
complete -c pipeline -a '(set -l words (commandline -opc); $words (commandline -ct) --generate-bash-completion 2>/dev/null)'
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName 'pipeline', 'pipeline.exe' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString().Trim('"', "'") })
    if ($wordToComplete) { $words = @($words | Select-Object -SkipLast 1) }
    $program = $words[0]
    $arguments = @($words | Select-Object -Skip 1)
    & $program @arguments $wordToComplete --generate-bash-completion 2>$null |
        Where-Object { $_.StartsWith($wordToComplete) } |
        ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`,
}

// shells are those that have a script, as a sentence names them.
const shells = "bash, zsh, fish or powershell"

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script for " + shells,
		ArgsUsage: "SHELL",
		Description: `Examples:
   source <(pipeline completion bash)
   pipeline completion zsh > "${fpath[1]}/_pipeline"
   pipeline completion fish > ~/.config/fish/completions/pipeline.fish
   pipeline completion powershell | Out-String | Invoke-Expression`,
		Action: func(c *cli.Context) error {
			script, ok := completions[c.Args().First()]
			if !ok {
				return usage("name a shell: %s", shells)
			}
			_, err := fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}
