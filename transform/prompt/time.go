package prompt

import (
	"strconv"
	"strings"
	"time"
)

// spaces are spaces that formatters of times put before AM and PM.
var spaces = strings.NewReplacer("\u202f", " ", "\u00a0", " ")

// timeIn reads what is in a block <timestamp>, such as "Sunday, Apr 26, 2026, 9:53 PM (UTC-4)": milliseconds since
// 1970, UTC.
func timeIn(text string) (ms int64, ok bool) {
	text = spaces.Replace(strings.TrimSpace(text))
	clock, zone, ok := strings.Cut(strings.TrimSuffix(text, ")"), " (UTC")
	if !ok {
		return 0, false
	}
	at, err := time.Parse("Monday, Jan 2, 2006, 3:04 PM", clock)
	minutes, ok := offset(zone)
	if err != nil || !ok {
		return 0, false
	}
	return at.UnixMilli() - int64(minutes)*60_000, true
}

// offset are the minutes of a zone such as -4 or +5:30; 0 for none.
func offset(zone string) (minutes int, ok bool) {
	if zone == "" {
		return 0, true
	}
	hours, rest, _ := strings.Cut(zone[1:], ":")
	h, err := strconv.Atoi(hours)
	if err != nil || h < 0 || h > 14 {
		return 0, false
	}
	if rest != "" {
		if minutes, err = strconv.Atoi(rest); err != nil || minutes < 0 || minutes > 59 {
			return 0, false
		}
	}
	minutes += h * 60
	switch zone[0] {
	case '-':
		return -minutes, true
	case '+':
		return minutes, true
	}
	return 0, false
}
