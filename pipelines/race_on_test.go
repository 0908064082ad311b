//go:build race

package pipelines_test

const raceDetector = true
