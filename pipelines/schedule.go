package pipelines

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/robfig/cron/v3"
)

const cronForm = "write minute, hour, day, month and weekday, in quotes: '30 2 * * *'"

// checkCron reports what keeps a text from being a schedule: five fields, or a word for them.
func checkCron(text string, now time.Time) error {
	fields := strings.Fields(text)
	switch {
	case strings.HasPrefix(text, "TZ=") || strings.HasPrefix(text, "CRON_TZ="):
		return errors.New("the time zone has a key of its own: write timezone: below cron")
	case strings.HasPrefix(text, "@every"):
		return fmt.Errorf("%q runs at no certain time: write every 15 minutes as '*/15 * * * *', every 6 hours as '0 */6 * * *'", text)
	case len(fields) == 6:
		return fmt.Errorf("%q has 6 fields, a schedule has 5: there are no seconds; write '%s'", text, strings.Join(fields[1:], " "))
	case len(fields) != 5 && !strings.HasPrefix(text, "@"):
		return fmt.Errorf("%q has %d of 5 fields; %s", text, len(fields), cronForm)
	}
	times, err := cron.ParseStandard(text)
	switch {
	case err != nil && strings.HasPrefix(text, "@"):
		return fmt.Errorf("there is no %q; write @hourly, @daily, @weekly, @monthly or @yearly", text)
	case err != nil:
		return fmt.Errorf("%q is no schedule (%w); %s", text, err, cronForm)
	case times.Next(now).IsZero():
		return fmt.Errorf("%q never comes: there is no such day", text)
	}
	return nil
}

// checkZone reports a text that is no name of a time zone.
func checkZone(text string, _ time.Time) error {
	if _, err := time.LoadLocation(text); err != nil || text == "" || text == "Local" {
		return fmt.Errorf("there is no time zone %q; write a name such as Europe/Berlin, America/New_York or UTC, or leave the key out for this machine's", text)
	}
	return nil
}

// zone is the time zone of the schedule.
func (s *Schedule) zone() (*time.Location, error) {
	if s.Timezone == "" {
		return time.Local, nil
	}
	return time.LoadLocation(s.Timezone)
}

// times are the schedule's, in its time zone whatever the zone of the time that is asked about.
func (s *Schedule) times() (cron.Schedule, error) {
	zone, err := s.zone()
	if err != nil {
		return nil, err
	}
	times, err := cron.ParseStandard(s.Cron)
	if err != nil {
		return nil, err
	}
	return inZone{times, zone}, nil
}

// inZone asks a schedule in a time zone.
type inZone struct {
	cron.Schedule
	zone *time.Location
}

// Next is the first time after now. The library takes its own zone only where that is not the local one: the time's counts then.
func (z inZone) Next(now time.Time) time.Time { return z.Schedule.Next(now.In(z.zone)) }
