package settings

import (
	"fmt"
	"strings"
)

// keys are the variables of the environment that hold secrets, or say where something is.
var keys = [][2]string{
	{"GH_TOKEN", "for GitHub; or GITHUB_TOKEN, or what gh auth login keeps"},
	{"GH_HOST", "a GitHub Enterprise server, with GH_ENTERPRISE_TOKEN"},
	{"GH_ENTERPRISE_TOKEN", "the token for it"},
	{"DEEPSEEK_API_KEY", "for the model that is taken if none is named"},
	{"OPENAI_API_KEY", "for --model openai/NAME"},
	{"ANTHROPIC_API_KEY", "for --model anthropic/NAME"},
	{"GEMINI_API_KEY", "for --model gemini/NAME"},
	{"MIMO_API_KEY", "for --model mimo/NAME"},
	{"OPENROUTER_API_KEY", "for --model openrouter/NAME"},
	{"COMPATIBLE_API_KEY", "for --model compatible/NAME with --base-url, if the server wants one"},
	{"OLLAMA_HOST", "for --model ollama/NAME; http://localhost:11434 if not set"},
}

// EnvExample is the text of .env.example.
func EnvExample() string {
	var b strings.Builder
	b.WriteString("# All of these can stay empty. RepoMind reads the environment, not this file: load it with\n# set -a; . ./.env; set +a\n\n# Keys and tokens. They are never flags and never in a file of settings.\n")
	for _, k := range keys {
		fmt.Fprintf(&b, "# %s\n%s=\n", k[1], k[0])
	}
	b.WriteString("\n# Settings. But for the two directories, each is also a flag, and a line of\n# ~/.config/repomind/config.yml.\n")
	for _, r := range table {
		fmt.Fprintf(&b, "# %s\n#%s=%s\n", r.help, Variable(r.name), r.byDefault)
	}
	return b.String()
}
