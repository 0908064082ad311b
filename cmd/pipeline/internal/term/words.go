package term

import (
	"time"

	"github.com/dustin/go-humanize"
)

// Plural counts things: 1 message, 2 messages.
func Plural(n int64, one string, many ...string) string {
	name := one
	if n != 1 {
		name += "s"
		if len(many) > 0 {
			name = many[0]
		}
	}
	return humanize.Comma(n) + " " + name
}

// LocalTime is a time in the local zone, to the second.
func LocalTime(t time.Time) string { return t.Local().Format(time.DateTime) }

// Moment describes a time by its distance from now, and prints it.
func Moment(t, now time.Time) string {
	return humanize.RelTime(t, now, "ago", "from now") + " (" + t.Local().Format("2006-01-02 15:04") + ")"
}
