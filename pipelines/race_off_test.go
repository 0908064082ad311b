//go:build !race

package pipelines_test

const raceDetector = false
