package report

// charts are the charts of the page, in order. A new chart needs an element here and a query in queries/; and a
// function in page/charts.js, if none there can draw it.
func charts() []chart {
	all := timeCharts()
	all = append(all, agentCharts()...)
	all = append(all, editCharts()...)
	all = append(all, billedCharts()...)
	all = append(all, countedCharts()...)
	all = append(all, costCharts()...)
	return append(all, qualityCharts()...)
}

const noProject = "(no project)"

// What several charts have.
var (
	ofProject = column{Name: "project", Label: "Project", Long: true}
	ofTitle   = column{Name: "title", Label: "Conversation", Unit: unitTitle, Long: true}
	ofModel   = column{Name: "model", Label: "Model", Nobody: "(not named)", Long: true}
	knownCost = known{Says: "A cost is known for", Known: "with_cost", Of: "events", Things: "events"}
)

// qualitySection is the heading of the charts that are folded.
const qualitySection = "Quality of the data, in the whole warehouse"

func timeCharts() []chart {
	return []chart{{
		Section: "Time",
		Name:    "projects", Title: "Hours of each project", Draw: "bars", Measure: "messages", Max: 15,
		First: "projects with most time", Drill: "project", Wide: true,
		Shows: "Active time: from the first message to the last, without pauses longer than the session gap. Time " +
			"that two projects share counts for both.",
		Absent: "No message of the period has a day.",
		Known:  []known{ownTimes},
		Hints: hints{"label": "project", "value": "active_ms",
			"end": "{active_ms} · {sessions:session} · last {last_day}", "short": "{active_ms}"},
		Columns: []column{ofProject, unitMillis.of("active_ms", "Active time"), unitCount.of("sessions", "Sessions"),
			unitDay.of("last_day", "Last message"), unitCount.of("prompts", "Prompts"),
			unitCount.of("conversations", "Conversations begun"), unitCount.of("messages", "Messages")},
	}, {
		Name: "weeks", Title: "Hours by week", Draw: "columns", Measure: "active_ms", Max: 200,
		First: "latest weeks and projects", Begins: "week", Drill: "week", Wide: true,
		Shows:  "Active time of each week, by project.",
		Absent: "No message of the period records its own time, and only these make active time.",
		Hints:  hints{"series": "project", "others": "projects", "values": []string{"active_ms"}},
		Columns: []column{unitDay.of("week", "Week of"), ofProject, unitMillis.of("active_ms", "Active time"),
			unitCount.of("prompts", "Prompts"), unitCount.of("messages", "Messages")},
	}, {
		Name: "activity", Title: "Active days", Draw: "calendar", Measure: "messages", Max: 400, First: "latest days",
		Begins: "day", Drill: "day", Shows: "Each square is a day, the stronger its colour the more active time.",
		Absent: "No message of the period has a day.",
		Hints:  hints{"value": "active_ms", "missing": "active time not recorded", "none": "no message"},
		Columns: []column{unitDay.of("day", "Day"), unitMillis.of("active_ms", "Active time"),
			unitCount.of("prompts", "Prompts"), unitCount.of("messages", "Messages"),
			unitCount.of("conversations", "Conversations begun")},
	}, {
		Name: "hours", Title: "Hours of the week", Draw: "hours", Measure: "timed", Max: 200, First: "first hours",
		Shows:  "Each square is an hour of a weekday, the stronger its colour the more messages were sent in it.",
		Absent: "No message of the period records its own time, so its hour is not known.",
		Known:  []known{{Says: "The hour is known of", Known: "timed", Of: "messages", Things: "messages"}},
		Hints:  hints{"value": "messages"},
		Columns: []column{unitWeekday.of("weekday", "Weekday"), unitHour.of("hour", "Hour"),
			unitCount.of("prompts", "Prompts"), unitCount.of("messages", "Messages")},
	}, {
		Name: "conversations", Title: "Latest conversations", Measure: "listed", Max: 12, First: "latest", Wide: true,
		Shows: "Those with the latest messages first, and the line that shows one in a terminal. Click on a bar " +
			"above or below, or press Enter on it, for those behind it.",
		Absent: "No conversation of the period has a day.",
		Columns: []column{ofTitle, ofProject, unitTime.of("started", "Started"), unitDay.of("last_day", "Last day"),
			unitCount.of("messages", "Messages"), unitShow.of("conversation_id", "To read it")},
	}}
}

// ownTimes says of which messages active time is made.
var ownTimes = known{Says: "The own time is recorded for", Known: "real_times", Of: "messages", Things: "messages",
	Then: "only these make active time"}

func agentCharts() []chart {
	return []chart{{
		Section: "The agent",
		Name:    "tools", Title: "Tools by failure rate", Draw: "bars", Measure: "outcome_known", Max: 24,
		First: "first tools", Drill: "tool", Shows: "The share of calls that failed, of those whose outcome is " +
			"known. Grey: fewer than 20 known outcomes, too few to tell.",
		Absent: "No tool call of the period records whether it failed.",
		Known:  []known{{Says: "The outcome is known of", Known: "outcome_known", Of: "calls", Things: "calls"}},
		Hints: hints{"label": "tool", "value": "failure_rate", "end": "{failure_rate} · {failed} of {outcome_known}",
			"rare": "outcome_known", "below": 20},
		Columns: []column{{Name: "tool", Label: "Tool", Long: true}, unitShare.of("failure_rate", "Failure rate"),
			unitCount.of("failed", "Failed"), unitCount.of("outcome_known", "Outcome known"),
			unitCount.of("calls", "Calls")},
	}, {
		Name: "fullest", Title: "Fullest context windows", Draw: "bars", Measure: "share", Max: 11,
		First: "fullest conversations", Drill: "conversation",
		Shows:  "The conversations nearest to the limit of their model.",
		Absent: "No conversation of the period records its use of the context window.",
		Hints: hints{"label": "title", "apart": []string{"project", "started", "conversation_id"}, "value": "share",
			"end": "{share} of {token_limit}", "least": 1},
		Columns: []column{ofTitle, ofProject, unitTime.of("started", "Started"),
			{Name: "model", Label: "Model chosen", Long: true}, unitShare.of("share", "Used"),
			unitCount.of("tokens_used", "Tokens used"), unitCount.of("token_limit", "Limit"),
			unitShow.of("conversation_id", "To read it")},
	}, {
		Name: "models", Title: "Models by week", Draw: "columns", Measure: "named", Max: 200,
		First: "latest weeks and models", Begins: "week", Drill: "model",
		Shows:  "Answers of the assistant (thoughts and tool calls too) by the model that they name.",
		Absent: "No answer of the period names its model.",
		Known: []known{{Says: "The model is named in", Known: "named", Of: "answers", Things: "answers",
			Then: "the others are not drawn"}},
		Hints:   hints{"series": "model", "others": "models", "values": []string{"answers"}, "axis": "answers"},
		Columns: []column{unitDay.of("week", "Week of"), ofModel, unitCount.of("answers", "Answers")},
	}, {
		Name: "context", Title: "Use of the context window", Draw: "columns", Measure: "known", Max: 12,
		First: "first steps", Shows: "Conversations by how full the context window was at their last turn.",
		Absent: "No conversation of the period records its use of the context window.",
		Known:  []known{{Says: "It is recorded for", Known: "known", Of: "conversations", Things: "conversations"}},
		Hints: hints{"category": "context_used", "values": []string{"conversations"}, "axis": "conversations",
			"below": "percent of the window used"},
		Columns: []column{{Name: "context_used", Label: "Context used", Nobody: "(not recorded)"},
			unitCount.of("conversations", "Conversations")},
	}}
}

func editCharts() []chart {
	return []chart{{
		Section: "From prompt to commit",
		Name:    "funnel", Title: "How far prompts got", Draw: "bars", Measure: "turns", Max: 6, First: "first steps",
		Shows: "Turns that passed this step and every step before it. An accepted edit stands beside the chain: a " +
			"commit needs none.",
		Absent: "No prompt was sent in the period.",
		Known: []known{
			{Says: "A decision is recorded for", Known: "decided", Of: "proposed", Things: "turns with edits"},
			{Says: "Commits were read for", Known: "commits_known", Of: "proposed", Things: "turns with edits",
				Unless: "pipeline run --git reads them"}},
		Hints: hints{"label": "reached", "value": "turns", "end": "{turns} · {of_prompts}", "axis": "turns",
			"missing": "missing"},
		Columns: []column{{Name: "reached", Label: "Step"}, unitCount.of("turns", "Turns"),
			unitShare.of("of_prompts", "Of the prompts"), {Name: "missing", Label: "Why not known", Nobody: " "}},
	}, {
		Name: "edits", Title: "Edits accepted, by model", Draw: "bars", Measure: "decided", Max: 16,
		First: "first models", Shows: "The share of proposed edits that were accepted, of those that were decided. " +
			"Grey: fewer than 20 decided, too few to tell.",
		Absent: "No edit of the period records whether it was accepted.",
		Known:  []known{{Says: "A decision is recorded for", Known: "decided", Of: "edits", Things: "proposed edits"}},
		Hints: hints{"label": "model", "value": "acceptance", "end": "{acceptance} · {accepted} of {decided}",
			"rare": "decided", "below": 20, "least": 1},
		Columns: []column{ofModel, unitShare.of("acceptance", "Accepted"), unitCount.of("accepted", "Accepted edits"),
			unitCount.of("decided", "Decided"), unitCount.of("edits", "Edits"),
			unitCount.of("lines_added", "Lines added"), unitCount.of("lines_removed", "Lines removed")},
	}, {
		Name: "files", Title: "Files most edited", Draw: "bars", Measure: "edits", Max: 20, First: "most edited files",
		Shows:  "Proposed edits of each file, without rejected ones.",
		Absent: "No edit of the period names a file.",
		Known:  []known{{Says: "The lines are known of", Known: "lines_known", Of: "edits", Things: "edits"}},
		Hints: hints{"label": "file", "value": "edits", "end": "{edits} · {project}", "axis": "proposed edits",
			"path": true, "apart": []string{"project"}},
		Columns: []column{{Name: "file", Label: "File", Long: true}, ofProject, unitCount.of("edits", "Edits"),
			unitCount.of("lines_added", "Lines added"), unitCount.of("lines_removed", "Lines removed")},
	}}
}

func costCharts() []chart {
	return []chart{{
		Name: "tokens", Title: "Tokens by week, in old stores", Draw: "columns", Measure: "messages_known", Max: 104,
		First: "latest weeks", Begins: "week", Drill: "week",
		Shows: "Tokens that messages record, in the week of the message. A week without a bar may be one without " +
			"records.",
		Absent: "No message of the period records tokens: current builds of Cursor hardly ever do.",
		Known:  []known{{Says: "Tokens are known for", Known: "messages_known", Of: "messages", Things: "messages"}},
		Hints:  hints{"values": []string{"input_tokens", "output_tokens"}, "axis": "tokens"},
		Columns: []column{unitDay.of("week", "Week of"), unitCount.of("input_tokens", "Input tokens"),
			unitCount.of("output_tokens", "Output tokens"), unitCount.of("messages_known", "Messages with tokens"),
			unitCount.of("messages", "Messages")},
	}, {
		Name: "cost", Title: "Cost by week, in old stores", Draw: "columns", Measure: "cost_cents", Max: 104,
		First: "latest weeks", Begins: "week",
		Shows: "What conversations cost as Cursor recorded it, in US dollars, in the week in which they began. " +
			"Nothing is estimated.",
		Absent: "No conversation of the period records a cost: only old stores do.",
		Known: []known{{Says: "A cost is known for", Known: "conversations_known", Of: "conversations",
			Things: "conversations"}},
		Hints: hints{"values": []string{"cost_cents"}, "axis": "US dollars"},
		Columns: []column{unitDay.of("week", "Week of"), unitCents.of("cost_cents", "Cost"),
			unitCount.of("conversations_known", "Conversations with a cost"),
			unitCount.of("conversations", "Conversations")},
	}}
}

// billedCharts show what files say of cost that people handed over, and estimates.
func billedCharts() []chart {
	return []chart{{
		Section: "Cost and tokens",
		Name:    "billed", Title: "Cost by week", Draw: "columns", Measure: "known_cents", Max: 104,
		Counted: true, First: "latest weeks", Begins: "week", Drill: "billed week", Wide: true,
		Shows: "What exports and events of Cursor say that requests are worth, paid or included, in US dollars. What " +
			"is estimated of turns without an event is drawn apart and is in no other figure.",
		Absent: "No usage of the period is known: pipeline run --usage reads Cursor's exports, pipeline hook install " +
			"has Cursor write it down, pipeline run --estimate estimates.",
		Known: []known{knownCost,
			{Says: "A price is known for", Known: "estimated_with_cost", Of: "estimated_turns",
				Things: "estimated turns"}},
		Hints: hints{"values": []string{"cost_cents", "estimated_cost_cents"}, "axis": "US dollars"},
		Columns: []column{unitDay.of("week", "Week of"), unitCents.of("cost_cents", "Cost"),
			unitCents.of("charged_cents", "Charged"), unitCents.of("estimated_cost_cents", "Estimated, apart"),
			unitCount.of("input_tokens", "Input not from the cache"),
			unitCount.of("cache_read_tokens", "Input from the cache"), unitCount.of("output_tokens", "Output tokens"),
			unitCount.of("events", "Events")},
	}, {
		Name: "billed_projects", Title: "Cost by project", Draw: "bars", Measure: "cost_cents", Max: 12,
		First: "dearest projects", Drill: "billed project",
		Shows: "What the requests of each project are worth. An event of which no conversation is known has no " +
			"project.",
		Absent: "No event of the period has a cost.",
		Known: []known{knownCost,
			{Says: "A conversation is known for", Known: "with_conversation", Of: "events", Things: "events"}},
		Hints: hints{"label": "project", "value": "cost_cents", "end": "{cost_cents} · {events:event}",
			"axis": "US dollars"},
		Columns: []column{ofProject, unitCents.of("cost_cents", "Cost"),
			unitCents.of("charged_cents", "Charged"), unitShare.of("cache_share", "Input from the cache"),
			unitCount.of("output_tokens", "Output tokens"), unitCount.of("events", "Events")},
	}, {
		Name: "billed_models", Title: "Cost by model", Draw: "bars", Measure: "cost_cents", Max: 12,
		First: "dearest models", Drill: "billed model",
		Shows:  "What the requests of each model are worth, under the name that Cursor bills.",
		Absent: "No event of the period has a cost.",
		Known:  []known{knownCost},
		Hints: hints{"label": "model", "value": "cost_cents", "end": "{cost_cents} · {events:event}",
			"axis": "US dollars"},
		Columns: []column{ofModel, unitCents.of("cost_cents", "Cost"), unitCents.of("charged_cents", "Charged"),
			unitShare.of("cache_share", "Input from the cache"), unitCount.of("output_tokens", "Output tokens"),
			unitCount.of("events", "Events")},
	}}
}

// countedCharts show more of what Cursor counted.
func countedCharts() []chart {
	return []chart{{
		Name: "billed_charged", Title: "Charged by week", Draw: "columns", Measure: "with_charge", Max: 104,
		Counted: true, First: "latest weeks", Begins: "week", Drill: "billed week",
		Shows:  "What Cursor charged for requests, in US dollars: nothing for those that the plan includes.",
		Absent: "No event of the period says what was charged.",
		Known:  []known{{Says: "A charge is known for", Known: "with_charge", Of: "events", Things: "events"}},
		Hints:  hints{"values": []string{"charged_cents"}, "axis": "US dollars"},
		Columns: []column{unitDay.of("week", "Week of"), unitCents.of("charged_cents", "Charged"),
			unitCents.of("cost_cents", "Worth"), unitCount.of("events", "Events")},
	}, {
		Name: "billed_tokens", Title: "Tokens by week", Draw: "columns", Measure: "with_tokens", Max: 104,
		Counted: true, First: "latest weeks", Begins: "week", Drill: "billed week",
		Shows: "Tokens of requests that Cursor counted.", Absent: "No event of the period records its tokens.",
		Known: []known{{Says: "Tokens are known for", Known: "with_tokens", Of: "events", Things: "events"}},
		Hints: hints{"values": []string{"cache_read_tokens", "input_tokens", "output_tokens"}, "axis": "tokens"},
		Columns: []column{unitDay.of("week", "Week of"), unitCount.of("cache_read_tokens", "Input from the cache"),
			unitCount.of("input_tokens", "Other input"), unitCount.of("output_tokens", "Output"),
			unitCount.of("events", "Events")},
	}}
}

// qualityCharts show the whole warehouse.
func qualityCharts() []chart {
	return []chart{{
		Section: qualitySection,
		Name:    "coverage", Title: "What is recorded", Draw: "bars", Measure: "known", Max: 40,
		First: "best known measures", Always: true, Shows: "Of the rows that could record it, the share that does.",
		Absent: "The warehouse holds no rows that could record anything yet: pipeline run loads them.",
		Hints:  hints{"label": "measure", "value": "share", "end": "{share} · {known} of {total}", "least": 1},
		Columns: []column{{Name: "measure", Label: "Measure"}, unitShare.of("share", "Recorded"),
			unitCount.of("known", "Known"), unitCount.of("total", "Of"),
			{Name: "of_what", Label: "Of what", Long: true}},
	}, {
		Name: "quarantine", Title: "Rows that could not be used", Draw: "bars", Measure: "open", Max: 20,
		First: "most frequent kinds", Always: true,
		Shows:  "By kind of key and reason. They are kept in the raw layer; table quarantine has them one by one.",
		Absent: "No row is in quarantine: every row that was read could be used.",
		Hints:  hints{"label": "what", "value": "open", "end": "{open}", "axis": "rows"},
		Columns: []column{{Name: "what", Label: "Kind of key: reason", Long: true}, unitCount.of("open", "Rows"),
			unitCount.of("resolved", "Resolved since")},
	}, {
		Name: "tables", Title: "Rows of each table", Draw: "bars", Measure: "live", Max: 40, First: "largest tables",
		Always: true, Shows: "Rows that Cursor still has. Orphaned rows (of conversations that it lists no longer) " +
			"and deleted ones are kept beside them, marked.",
		Absent: "Every table is empty: pipeline run loads them.",
		Hints:  hints{"label": "table_name", "value": "live", "end": "{live}", "axis": "rows"},
		Columns: []column{{Name: "table_name", Label: "Table"}, unitCount.of("live", "Rows"),
			unitCount.of("orphaned", "Orphaned"), unitCount.of("deleted", "Deleted")},
	}, {
		Name: "loads", Title: "Latest loads and their checks", Measure: "load_id", Max: 10, First: "latest loads",
		Always: true, Wide: true, Shows: "Status ok: every store was read and every check passed. After " +
			"check_failed, pipeline check says which.",
		Absent: "Nothing was loaded yet: pipeline run does it.",
		Columns: []column{unitID.of("load_id", "Load"), unitTime.of("started", "Started"),
			{Name: "status", Label: "Status"}, {Name: "mode", Label: "Mode"}, unitCount.of("conversations_new", "New"),
			unitCount.of("conversations_changed", "Changed"), unitCount.of("conversations_deleted", "Deleted"),
			unitCount.of("messages_loaded", "Messages"), unitCount.of("quarantined", "Quarantined"),
			unitCount.of("unread_stores", "Stores not read"), unitCount.of("stores", "Stores")},
	}}
}
