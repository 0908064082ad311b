// Command shapestore makes stores out of the description that `pipeline doctor --shape` has written (make
// store-of-shape). It is for developers, and no part of the program.
package main

import (
	"fmt"
	"os"

	"pipeline/testdata/gen/shapetest"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: shapestore FILE DIR")
		os.Exit(2)
	}
	made, err := shapetest.Write(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for _, path := range made {
		fmt.Println(path)
	}
}
