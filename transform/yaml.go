package transform

import (
	"fmt"

	"github.com/goccy/go-yaml"
)

// parseYAML reads a text of YAML . A mistake of the library must not end a run: it is an error, too.
func parseYAML(text string) (value any, err error) {
	defer func() {
		if r := recover(); r != nil {
			value, err = nil, fmt.Errorf("the library of YAML gave up: %v", r)
		}
	}()
	err = yaml.Unmarshal([]byte(text), &value)
	return value, err
}
