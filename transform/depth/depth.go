// Package depth measures JSON before it is parsed: a parser that follows deep documents down would use up its stack.
// The package must never know what a document says.
package depth

// Of is how deep brackets nest outside strings; of valid JSON it is the document's depth.
func Of(json []byte) (deepest int) {
	depth, inString := 0, false
	for i := 0; i < len(json); i++ {
		switch c := json[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}
