package extract

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// This file reads the plans that Cursor's agent keeps as files in a home (docs/formats.md, Plans). Their rows belong to
// no conversation.

// AppPlans is the App of the source that a folder of plans is.
const AppPlans = "plans"

// PlansStore is the one store of such a source.
const PlansStore = "plans"

// FamilyPlan is the family of its rows: one for each file.
const FamilyPlan = "plans.file"

// planEnd is how the names of plans end.
const planEnd = ".plan.md"

// maxPlan is the largest plan that is read.
const maxPlan = 4 << 20

// PlansOf returns the folder of plans that belongs to a source of chats: in a folder .cursor, or in the one of the home
// around a user directory. It is "" if there is none.
func PlansOf(src Source) string {
	if src.App == AppCLI {
		return folderAt(filepath.Join(src.UserDir, "plans"))
	}
	for _, home := range homesAround(src.UserDir) {
		if dir := folderAt(filepath.Join(filepath.FromSlash(home), ".cursor", "plans")); dir != "" {
			return dir
		}
	}
	return ""
}

// CountPlans counts the plans that belong to a source. No file is opened.
func CountPlans(src Source) int {
	dir := PlansOf(src)
	if dir == "" {
		return 0
	}
	names, _ := plansIn(dir) // reading it gives the error
	return len(names)
}

// folderAt is a path, "" if no folder is there.
func folderAt(path string) string {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return ""
	}
	return path
}

// planFile is what a row of a plan has, as JSON.
type planFile struct {
	Text       string `json:"text"`
	ModifiedAt int64  `json:"modifiedAt"` // milliseconds
}

// OpenPlans lists the plans of a folder. It reads none.
func OpenPlans(dir string) Snapshot {
	s := &folderSnapshot{dir: dir, mayGo: true, most: maxPlan, rows: planRow,
		report: StoreReport{Store: PlansStore, Info: StoreInfo{Path: dir}}}
	var err error
	if s.names, err = plansIn(dir); err != nil {
		s.report.Err = newStoreError(dir, err)
		return s
	}
	s.report.RowsSeen = int64(len(s.names))
	return s
}

// plansIn lists the plans in a folder.
func plansIn(dir string) (names []string, err error) {
	entries, err := listFolder(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), planEnd) && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// planRow is the row of a plan: one for each file.
func planRow(name string, written time.Time, text []byte) ([]*Document, error) {
	d, err := jsonRow(PlansStore, "plans", FamilyPlan, validName(name), planFile{string(text), written.UnixMilli()})
	return []*Document{d}, err
}
