package main

import (
	"fmt"

	"github.com/urfave/cli/v2"
)

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
