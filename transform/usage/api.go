package usage

import "cmp"

// This file reads events of the dashboard and of the Admin API. Their fields are those of Cursor's own
// aiserver.v1.UsageEventDisplay [usage schema].

// Fields of an event. Those that are false are known and not read: numbers of people and teams, and how a request
// weighs in a plan.
var (
	eventFields = map[string]bool{
		"timestamp": true, "model": true, "kind": true, "maxMode": true, "usageBasedCosts": true, "tokenUsage": true,
		"isHeadless": true, "chargedCents": true, "cloudAgentId": true, "conversationId": true, "userEmail": true,
		"user": true, "customSubscriptionName": false, "requestsCosts": false, "isTokenBasedCall": false,
		"owningUser": false, "owningTeam": false, "userId": false, "cursorTokenFee": false, "isChargeable": false,
		"serviceAccountName": false, "serviceAccountId": false, "automationId": false, "automationManagedType": false,
		"clientType": false, "subscriptionProductId": false, "isFreeBugbot": false,
	}
	tokenFields = map[string]bool{
		"inputTokens": true, "outputTokens": true, "cacheWriteTokens": true, "cacheReadTokens": true,
		"totalCents": true, "discountPercentOff": false, "enterpriseUsageDiscountPercent": false,
	}
)

// api reads an event. Its counts are disjoint, as in CSV.
func (r *reader) api(f fields, line int) {
	r.is(API)
	v := &values{get: f.text}
	e := Event{
		Origin: API, Line: line, OccurredAt: v.time("timestamp"), Model: v.text("model"), Kind: v.text("kind"),
		ConversationID: v.text("conversationId"), CloudAgentID: v.text("cloudAgentId"),
		ChargedCents: v.cents("chargedCents", false), IsHeadless: v.flag("isHeadless"), MaxMode: v.flag("maxMode"),
		Person: r.person(cmp.Or(v.text("userEmail"), v.text("user"))),
	}
	tokens := object(f["tokenUsage"])
	t := &values{get: tokens.text}
	e.FreshInputTokens, e.OutputTokens = t.count("inputTokens"), t.count("outputTokens")
	e.CacheWriteTokens, e.CacheReadTokens = t.count("cacheWriteTokens"), t.count("cacheReadTokens")
	e.CostCents = t.cents("totalCents", false)
	withZeros(&e)
	if e.CostCents == nil {
		e.CostCents = v.cents("usageBasedCosts", true) // in dollars, and rounded [page readers]
	}
	r.unknownFields("event", f, eventFields)
	r.unknownFields("tokenUsage", tokens, tokenFields)
	r.refused(v, line)
	r.refused(t, line)
	if e.OccurredAt == nil {
		return
	}
	e.IsCounted = counted(e)
	r.add(e)
}

// withZeros sets counts that are not there to zero if others are. Cursor's counts have no presence of their own, and
// its JSON leaves out zeros [usage schema].
func withZeros(e *Event) {
	counts := []**int64{&e.FreshInputTokens, &e.CacheWriteTokens, &e.CacheReadTokens, &e.OutputTokens}
	for _, n := range counts {
		if *n == nil {
			continue
		}
		for _, other := range counts {
			if *other == nil {
				*other = new(int64)
			}
		}
		return
	}
}

// unknownFields counts the fields of an object that no reader knows.
func (r *reader) unknownFields(what string, f fields, known map[string]bool) {
	for name := range f {
		if _, ok := known[name]; !ok {
			r.unknown(what, name)
		}
	}
}
