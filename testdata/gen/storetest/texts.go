package storetest

// What people and models write, invented. The first list of each is English, the others are in the
// scripts that a store of some age has met.

var prompts = [][]string{
	{
		"The build on {f} fails since yesterday, can you find out why?",
		"Please add a test for {s}; it should also cover the empty list.",
		"Rename {s} everywhere, but keep the old name as an alias for one release.",
		"Why does {f} take {n} ms to load?",
		"Split {f} into two files, one for parsing and one for printing.",
		"Now do the same for {s}.",
		"That is not what I asked for. Leave {f} alone and only fix {s}.",
		"Write the migration, then run it against the copy of the database.",
	},
	{
		"Почему тест для {s} иногда падает?",
		"Добавь обработку ошибок в {f}, пожалуйста.",
		"Объясни, что делает {s}, по шагам.",
		"Перенеси проверку прав из {f} в отдельный модуль.",
	},
	{
		"Γιατί αργεί τόσο το {f};",
		"Πρόσθεσε έναν έλεγχο στη {s} για κενές τιμές.",
		"Μετάφρασε τα μηνύματα σφάλματος στα ελληνικά.",
	},
	{
		"请把 {s} 改成异步的，并补上测试。",
		"{f} 里第 {n} 行为什么会抛异常？",
		"帮我检查一下登录流程，看看令牌在哪里过期。",
	},
	{
		"{f} のテストを追加してください。",
		"{s} を小さな関数に分けてもらえますか？",
		"日付の表示がずれています。タイムゾーンを確認してください。",
	},
	{
		"{f} 파일에서 중복된 코드를 정리해 줘.",
		"{s} 함수가 느린 이유를 알려 줘.",
	},
	{
		"لماذا يفشل الاختبار في {f}؟",
		"أضف تعليقات توضح عمل {s} من فضلك.",
	},
	{
		"למה הבדיקה של {s} נכשלת?",
		"תעביר את ההגדרות מ-{f} לקובץ נפרד.",
	},
	{
		"Kannst du {s} so ändern, dass Umlaute in Dateinamen wie „Größe.txt“ gehen?",
		"Ajoute une étape à {f} pour vérifier le cache, s'il te plaît.",
		"¿Puedes añadir una prueba para {s}? El número de línea es {n}.",
	},
	{
		"🚀 ship it, then clean up {f} 🧹",
		"{s} 🐛 again?! 👩‍💻 please look at line {n} 🙏🏽",
	},
}

var answers = [][]string{
	{
		"I'll start by reading `{f}` to see how `{s}` is called.",
		"The cause is in `{s}`: it compares the length before it trims the value.",
		"I've updated `{f}` and the {n} tests that depend on it pass.",
		"There are two callers of `{s}`; only one of them needs the change.",
		"The file has {n} lines, so I'll read the part around `{s}` first.",
		"Done. The alias stays until the next release, as you asked.",
		"Next I'll run the linter, as `{f}` is formatted differently from its neighbours.",
		"The value is cached for {n} seconds, which explains the delay that you saw.",
	},
	{
		"Ошибка возникает в `{s}`: значение проверяется до обрезки пробелов.",
		"Готово: файл `{f}` обновлён, тесты проходят.",
		"Сначала посмотрю, где вызывается `{s}`.",
	},
	{
		"Το πρόβλημα είναι στη `{s}`, που καλείται {n} φορές.",
		"Ενημέρωσα το `{f}` και όλοι οι έλεγχοι περνούν.",
	},
	{
		"问题出在 `{s}`：它在去掉空格之前就比较了长度。",
		"已更新 `{f}`，{n} 个测试全部通过。",
	},
	{
		"原因は `{s}` にあります。空白を取り除く前に比較しています。",
		"`{f}` を更新しました。テストはすべて成功しています。",
	},
	{
		"`{s}` 함수가 같은 질의를 {n}번 보내고 있습니다.",
	},
	{
		"السبب في `{s}`: تتم المقارنة قبل حذف الفراغات.",
	},
	{
		"הבעיה היא ב-`{s}`, שנקראת {n} פעמים.",
	},
	{
		"Die Ursache liegt in `{s}`: „Größe“ wird vor dem Kürzen verglichen.",
		"C'est fait : `{f}` est à jour et les {n} tests passent.",
	},
	{
		"✅ `{f}` is fixed, {n} tests green 🎉",
	},
}

var thoughts = [][]string{
	{
		"The user wants {s} changed, but {f} also depends on it, so I should look there first.",
		"There might be a race: two callers reach {s} before the lock is taken.",
		"Let me check whether {f} is generated; if it is, the change belongs into the template.",
		"The error mentions line {n}, which is past the end of the file, so the map is stale.",
		"I could add a parameter, yet every caller passes the same value. A constant is simpler.",
		"Before I edit anything, I need to see how the tests build {s}.",
	},
	{
		"Пользователь просит изменить {s}, значит сначала нужно прочитать {f}.",
	},
	{
		"用户想修改 {s}，我先看看 {f} 里有没有别的调用。",
	},
	{
		"まず {f} を読んで、{s} の呼び出し元を調べる。",
	},
}

var fileNames = []string{
	"src/api/routes.ts", "src/api/session.ts", "internal/ledger/post.go", "internal/ledger/post_test.go",
	"cmd/tide/main.go", "web/components/Chart.tsx", "web/hooks/useTide.ts", "lib/parse_dates.py",
	"tests/test_import.py", "deploy/stack.yaml", "src/größe.rs", "docs/einrichtung.md",
	"db/migrations/0042_add_index.sql", "scripts/release.sh", "src/данные.py", "src/会话.ts",
}

var symbols = []string{
	"parseHeader", "SessionStore", "postEntry", "renderChart", "load_calendar", "TideTable", "retryWithDelay",
	"normalizePath", "AccountCache", "flushQueue", "readManifest", "sum_by_day", "useTide", "closeLedger",
	"mergeRanges", "checkAccess",
}

// names of conversations
var titles = []string{
	"Fix the failing build", "Add tests for the importer", "Rename session store", "Slow chart on the start page",
	"Починить тест импорта", "Αργή φόρτωση", "登录流程检查", "日付の表示", "중복 코드 정리", "إصلاح الاختبار", "בדיקה שנכשלת",
	"Umlaute in Dateinamen", "Étape de cache 🧊", "Ledger: close the month", "Plan the migration", "Why is CI red?",
	`Quote "this" and that's it`, "Tide table, second try",
}

var codeForms = []string{
	"\tif err := {s}(ctx, id); err != nil {", "\t\treturn fmt.Errorf(\"{s}: %w\", err)", "\t}", "}", "",
	"func {s}(ctx context.Context, id int64) error {", "export function {s}(value: string): number {",
	"  const rows = await db.query(\"SELECT * FROM entries WHERE id > {n}\");",
	"  return rows.map((row) => row.amount).reduce((a, b) => a + b, 0);", "    for entry in {s}(path):",
	"        total += entry.amount  # cents", "def {s}(path, limit={n}):",
	"// {s} keeps the last {n} values in memory, the others are read again.", "import { {s} } from \"../{f}\";",
	"\tcase \"{s}\":", "\t\tlog.Printf(\"%s took %d ms\", name, {n})", "  <Chart data={points} width={{n}} />",
	"let größe = \"{s}\";", "ok  \tledger/internal/{s}\t0.{n}s", "{f}:{n}:12: warning: {s} is declared but never used",
	"-- {f}", "+\tentries = append(entries, {s}({n}))",
}

var models = []string{"claude-4-sonnet", "claude-3.5-sonnet", "gpt-5", "gpt-4o", "gemini-2.5-pro", "default",
	"composer-1"}
