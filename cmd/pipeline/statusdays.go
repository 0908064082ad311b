package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"pipeline/load/reader"
)

// A dayTrend is what was written on a day.
type dayTrend struct {
	Day      string `json:"day"`      // in the local time zone
	Messages *int64 `json:"messages"` // by the messages' own times; null if no good load has covered the day
	SoFar    bool   `json:"so_far"`   // no good load has covered the whole day
}

const trendWeek = 7

// trendDays are the beginnings of the days of two weeks, and the end of today.
func trendDays(now time.Time) (out []time.Time) {
	for i := -2*trendWeek + 1; i <= 1; i++ {
		out = append(out, time.Date(now.Year(), now.Month(), now.Day()+i, 0, 0, 0, 0, now.Location()))
	}
	return out
}

func trendOf(s *reader.Status, now time.Time) (out []dayTrend) {
	bounds := trendDays(now)
	for i, n := range s.Days {
		d := dayTrend{Day: bounds[i].Format(time.DateOnly),
			SoFar: s.LastGood == nil || s.LastGood.StartedAt.Before(bounds[i+1])}
		if n > 0 || s.LastGood != nil && s.LastGood.StartedAt.After(bounds[i]) {
			d.Messages = &n
		}
		out = append(out, d)
	}
	return out
}

func printTrend(w io.Writer, days []dayTrend) {
	if len(days) < 2*trendWeek {
		return
	}
	all, unseen := int64(0), 0
	var cells []string
	for _, d := range days {
		if d.Messages == nil {
			unseen++
			cells = append(cells, "-")
			continue
		}
		all += *d.Messages
		cells = append(cells, strconv.FormatInt(*d.Messages, 10))
	}
	switch {
	case all > 0:
		fmt.Fprintf(w, "messages     a day to today: %s; the 7 days before: %s\n", strings.Join(cells[trendWeek:], " "),
			strings.Join(cells[:trendWeek], " "))
	case unseen == 0:
		fmt.Fprintf(w, "messages     none in the last %d days\n", len(days))
	default:
		fmt.Fprintf(w, "messages     none in the last %d days, of which %d no good load has seen\n", len(days), unseen)
	}
}
