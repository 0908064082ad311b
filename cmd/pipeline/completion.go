package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"pipeline/pipelines"
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
	"fish": `complete -c pipeline -f -a "(commandline -opc | string join ' ' | read -l line; eval $line (commandline -ct) --generate-bash-completion 2>/dev/null)"
`,
}

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a completion script for bash, zsh or fish",
		ArgsUsage: "SHELL",
		Description: `Examples:
   source <(pipeline completion bash)
   pipeline completion zsh > "${fpath[1]}/_pipeline"
   pipeline completion fish > ~/.config/fish/completions/pipeline.fish`,
		Action: func(c *cli.Context) error {
			script, ok := completions[c.Args().First()]
			if !ok {
				return &pipelines.UsageError{Message: "name a shell: bash, zsh or fish"}
			}
			_, err := fmt.Fprint(c.App.Writer, script)
			return err
		},
	}
}
