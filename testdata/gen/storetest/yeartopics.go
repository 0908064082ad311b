package storetest

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed year/topics.txt
var topicsText string

// A yearProject is a project of the year, with what there is to do in it.
type yearProject struct {
	name     string
	language string
	command  string // that runs the tests
	weight   int
	topics   []*topic
	w        *workspace
	used     map[string]int      // titles
	files    map[string][]string // lines of the repository's files, by path
}

// A topic is a part of a project: what is wrong with it, what is wanted of it.
type topic struct {
	area, file, other, symbol string
	bug, seen, cause, fix     string
	wish, how, test           string
}

// yearProjects reads the topics.
func yearProjects() (all []*yearProject) {
	for n, line := range strings.Split(topicsText, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(strings.TrimPrefix(line, "= "), " | ")
		switch {
		case line[0] == '=' && len(fields) == 4:
			weight, err := strconv.Atoi(fields[3])
			if err != nil {
				panic(err)
			}
			all = append(all, &yearProject{name: fields[0], language: fields[1], command: fields[2], weight: weight,
				used: map[string]int{}, files: map[string][]string{}})
		case len(fields) == 11:
			p := all[len(all)-1]
			p.topics = append(p.topics, &topic{fields[0], fields[1], fields[2], fields[3], fields[4], fields[5],
				fields[6], fields[7], fields[8], fields[9], fields[10]})
		default:
			panic(fmt.Sprintf("storetest: year/topics.txt:%d: %d fields", n+1, len(fields)))
		}
	}
	return all
}

// testFile is the file with the tests of a file.
func (p *yearProject) testFile(file string) string {
	dot := strings.LastIndexByte(file, '.')
	name, ext := file[:dot], file[dot:]
	switch p.language {
	case "py":
		return "tests/test_" + name[strings.LastIndexByte(name, '/')+1:] + ext
	case "swift":
		return "Tests/" + name[strings.LastIndexByte(name, '/')+1:] + "Tests" + ext
	case "ts":
		return name + ".test.ts"
	}
	return name + "_test.go"
}

// codeForm are lines of the languages: @ is the symbol of the topic, # a number.
var codeByLanguage = map[string][]string{
	"go": {"func @(ctx context.Context, in Input) (out Output, err error) {",
		"	if err := in.validate(); err != nil {", "		return out, fmt.Errorf(\"@: %w\", err)", "	}",
		"	rows, err := s.db.QueryContext(ctx, query, in.ID)", "	defer rows.Close()", "	for rows.Next() {",
		"		out.Items = append(out.Items, item)", "	return out, rows.Err()", "	const limit = #",
		"	s.log.Info(\"@\", \"items\", len(out.Items))", "	time.Sleep(# * time.Millisecond)", "	mu.Lock()",
		"}"},
	"ts": {"export function @(props: Props) {", "  const [value, setValue] = useState<number>(#);",
		"  useEffect(() => {", "    const stop = subscribe(props.id, setValue);", "    return stop;",
		"  }, [props.id]);", "  if (!value) return null;",
		"  return <section aria-label=\"@\">{format(value)}</section>;", "  const width = Math.max(#, props.width);",
		"  await fetch(`/api/v2/stations/${props.id}`);", "}"},
	"py": {"def @(rows: Iterable[Row], limit: int = #) -> Iterator[Row]:", "    for row in rows:",
		"        if row.value is None:", "            continue",
		"        yield replace(row, value=round(row.value, 3))", "    log.info(\"@ %d rows\", count)",
		"    with open(path, newline=\"\") as f:", "    assert len(out) == #", "    return out"},
	"swift": {"func @(_ items: [Item]) async throws -> [Item] {", "    guard !items.isEmpty else { return [] }",
		"    let newest = items.max { $0.changed < $1.changed }", "    try await store.write(items)",
		"    var seen = Set<Item.ID>()", "    return items.filter { seen.insert($0.id).inserted }",
		"    XCTAssertEqual(result.count, #)", "}"},
}

// codeLines are n lines of a project's language about a symbol.
func (p *yearProject) codeLines(r rng, symbol string, n int) []string {
	name := symbol[strings.LastIndexByte(symbol, '.')+1:]
	forms := codeByLanguage[p.language]
	lines := make([]string, n)
	from := r.IntN(len(forms))
	for i := range lines {
		lines[i] = strings.NewReplacer("@", name, "#", strconv.Itoa(r.between(2, 400))).
			Replace(forms[(from+i)%len(forms)])
	}
	return lines
}
