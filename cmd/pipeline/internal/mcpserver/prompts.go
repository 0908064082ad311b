package mcpserver

import (
	"cmp"
	"fmt"
)

// prompts are the questions that people can choose in a client.
func (s *server) prompts() []prompt {
	all := []prompt{
		{"standup", "What did I work on?", "What I did since yesterday, by project.", "since",
			"since when: yesterday unless given; 3d, 2026-03-01", false, func(since string) string {
				return fmt.Sprintf("What did I work on since %s? List my conversations with activity since %[1]q "+
					"(list_conversations), look at the last messages of those whose title does not tell "+
					"(list_messages), and sum up in a few lines for each project: what was done, what is open, what "+
					"failed.", cmp.Or(since, "yesterday"))
			}},
		{"what_did_i_decide", "What did I decide?", "What was decided about a topic, when and why.", "topic",
			"what the decision was about", true, func(topic string) string {
				return fmt.Sprintf("What did I decide about %q, when, and why? Search my history (search), read "+
					"around "+
					"the best hits (list_messages, get_message), and answer with the decision, its date, the reasons "+
					"that were given, and the ids of the conversations. Say so if the history does not tell.", topic)
			}},
	}
	if s.isNarrow() { // the next one asks in SQL
		return all
	}
	return append(all, prompt{name: "failing_tools", title: "Which tools fail?",
		about: "Which tools failed in the last 30 days, and of what.", text: func(string) string {
			return "Which tools of my editor's agent failed in the last 30 days? Count calls, failures and known " +
				"outcomes " +
				"by tool (query on live_tool_calls), group the error messages of the worst three by what they have " +
				"in common, and say what could be done about each."
		}})
}
