package extract

import (
	"fmt"
	"runtime"
	"strings"
)

// Defect is an error of this program that a panic told of. It says where that was, so that a person can report it in
// one line.
type Defect struct{ What string }

// NewDefect is the defect of a panic. It is called by the deferred function that has recovered.
func NewDefect(recovered any) *Defect {
	return &Defect{fmt.Sprintf("%v, at %s", recovered, raisedAt())}
}

// Error says what failed.
func (d *Defect) Error() string { return "an error in this program: " + d.What }

// raisedAt is the place in this program at which the panic that is being recovered was raised.
func raisedAt() string {
	calls := make([]uintptr, 64)
	frames := runtime.CallersFrames(calls[:runtime.Callers(0, calls)])
	raised := false
	for {
		frame, more := frames.Next()
		raised = raised || frame.Function == "runtime.gopanic"
		if name := strings.TrimPrefix(frame.Function, "pipeline/"); raised &&
			(name != frame.Function || strings.HasPrefix(name, "main.")) {
			return fmt.Sprintf("%s:%d", name, frame.Line)
		}
		if !more {
			return "a place that is not known"
		}
	}
}
