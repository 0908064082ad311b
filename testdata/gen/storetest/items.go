package storetest

// Canaries are secrets for tests. Every plan with corner cases puts them into its store, and nothing that is made from
// the store may contain one.
func Canaries() []string {
	return []string{canaryAccess, canaryRefresh, canarySecret, canaryMCP, canaryBlobKey, canarySummaryKey}
}

// They look like what they stand for, and are unlike anything else.
const (
	canaryAccess     = "eyJhbGciOiJIUzI1NiJ9.CANARYaccess0Xq7.c2lnbmF0dXJl"
	canaryRefresh    = "eyJhbGciOiJIUzI1NiJ9.CANARYrefresh9Kd2.c2lnbmF0dXJl"
	canarySecret     = "CANARYsecretStorage5Tz8wLmQ"
	canaryMCP        = "CANARYmcpOAuth3Rb6nVpE"
	canaryBlobKey    = "CANARYblobKey1Hs4/jUyC+oA0aGk7fNdWxZiPe2lTqM="
	canarySummaryKey = "CANARYsummaryKey8Fv9/rBtL+uE5eYh3kSgJcXoWa6iDnQ="
)

// secretItems are keys of the global ItemTable that must never be read.
var secretItems = [][2]string{
	{"cursorAuth/accessToken", canaryAccess},
	{"cursorAuth/refreshToken", canaryRefresh},
	{"secret://x", `{"type":"Buffer","data":"` + canarySecret + `"}`},
	{"mcpOAuth.y", `{"access":"` + canaryMCP + `"}`},
}

// planItems links the conversations to their projects and plans the rest of the ItemTables.
func (p *Plan) planItems() {
	p.days = min(3+p.o.Messages/300, 120)
	for i := range p.days {
		date := isoText(base + int64(i)*day)[:10]
		p.items = append(p.items, Row{ItemTable, "aiCodeTracking.dailyStats.v1.5." + date, `{"date":"` + date +
			`","tabSuggestedLines":` + itoa(40+i) + `,"tabAcceptedLines":` + itoa(11+i) + `,"composerSuggestedLines":` +
			itoa(300+7*i) +
			`,"composerAcceptedLines":` + itoa(120+3*i) + `}`})
	}
	for _, c := range p.chats {
		c.enlist()
	}
}

// enlist puts the conversation into the list of its workspace that names it, or that it lives in.
func (c *conversation) enlist() {
	switch w := c.project; {
	case c.form == "chat_tab":
		c.store.tabs = append(c.store.tabs, c.tab())
	case c.store != nil:
		c.store.heads = append(c.store.heads, string(c.json()))
	case w == nil:
	case c.link == "pane":
		w.pane = append(w.pane, c.id)
	case c.link == "workspace_list":
		w.heads = append(w.heads, c.head())
	}
}

// planHeadersItem is the list of heads in the global ItemTable; it is planned last.
func (p *Plan) planHeadersItem() {
	var heads []string
	for _, c := range p.chats {
		if c.link == "headers_item" {
			heads = append(heads, c.head())
		}
	}
	p.items = append(p.items, Row{ItemTable, "composer.composerHeaders", `{"allComposers":` + list(heads) + `}`})
}
