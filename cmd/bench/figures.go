package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dustin/go-humanize"
)

// series are the values of one figure, run by run.
type series []float64

// median is the middle one, or the mean of the two in the middle; NaN of nothing.
func (s series) median() float64 {
	if len(s) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(s))
	half := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[half]
	}
	return (sorted[half-1] + sorted[half]) / 2
}

// minus is the difference round by round: what two runs of one round share falls out, the machine's mood too.
func (s series) minus(other series) series { return s.with(other, -1) }

// plus is the sum round by round.
func (s series) plus(other series) series { return s.with(other, 1) }

func (s series) with(other series, sign float64) series {
	out := make(series, min(len(s), len(other)))
	for i := range out {
		out[i] = s[i] + sign*other[i]
	}
	return out
}

// ratio is how many times one figure is another; NaN where there is no such number.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return math.NaN()
	}
	return a / b
}

// slope is what a figure grows by for each 1,000 of something, from one point to another.
func slope(x1, y1, x2, y2 float64) float64 {
	if x1 == x2 {
		return math.NaN()
	}
	return (y2 - y1) / (x2 - x1) * 1000
}

// measured are the runs of one kind.
type measured struct{ cpu, wall, rss series }

func (m *measured) add(u usage) {
	m.cpu = append(m.cpu, u.CPU)
	m.wall = append(m.wall, u.Wall)
	m.rss = append(m.rss, float64(u.RSS))
}

// kinds are the runs of several kinds, by what they are called.
type kinds map[string]*measured

func (k kinds) add(name string, u usage) {
	if k[name] == nil {
		k[name] = &measured{}
	}
	k[name].add(u)
}

// The forms of figures in tables. What is not known is a dash.

func number(v float64, digits int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return "-"
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

func seconds(v float64) string { return number(v, 2) }

func times(v float64) string { return number(v, 2) }

// spread is the lowest and the highest of a series.
func (s series) spread() string {
	if len(s) == 0 {
		return "-"
	}
	return seconds(slices.Min(s)) + " to " + seconds(slices.Max(s))
}

func count(n int64) string { return humanize.Comma(n) }

// plural counts things: 1 run, 2 runs.
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(int64(n)) + " " + one + "s"
}

func megabytes(bytes int64) string { return number(float64(bytes)/1e6, 1) }

// wholeMegabytes is a peak of memory; 0 is one that the system does not tell.
func wholeMegabytes(bytes float64) string {
	if bytes <= 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", bytes/1e6)
}
