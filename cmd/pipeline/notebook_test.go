package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// runNotebook runs a notebook as Jupyter does and prints how many pictures it drew, and what it complained of.
const runNotebook = `
import base64, sys
import nbclient, nbformat

notebook = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(notebook)
nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": "."}}).execute()
outputs = [o for c in notebook.cells for o in c.get("outputs", [])]
pictures = [base64.b64decode(o["data"]["image/png"]) for o in outputs if "image/png" in o.get("data", {})]
print(sum(p.startswith(b"\x89PNG") and len(p) > 10_000 for p in pictures), "pictures")
print(*[o["text"] for o in outputs if o.get("name") == "stderr"])
`

// TestNotebook runs docs/notebook.ipynb on the demo history, from the file and from the Parquet. In the repository it
// has no outputs.
func TestNotebook(t *testing.T) {
	long(t)
	path, err := filepath.Abs(filepath.Join("..", "..", "docs", "notebook.ipynb"))
	must(t, err)
	text, err := os.ReadFile(path)
	must(t, err)
	var notebook struct {
		Cells []struct {
			Type    string            `json:"cell_type"`
			Outputs []json.RawMessage `json:"outputs"`
			Count   *int              `json:"execution_count"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(text, &notebook); err != nil || len(notebook.Cells) == 0 {
		t.Fatal("it is no notebook: ", err)
	}
	for i, cell := range notebook.Cells {
		if len(cell.Outputs) > 0 || cell.Count != nil {
			t.Errorf("cell %d holds what a run printed: clear all outputs before you save it", i+1)
		}
	}
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3; with it, and Jupyter's packages, this test runs the notebook")
	}
	if missing := missingPackages("duckdb", "ipykernel", "matplotlib", "nbclient", "nbformat", "pandas",
		"pyarrow"); missing != "" {
		t.Skipf("%s is not installed; with it this test runs the notebook", missing)
	}
	d := newDocHome(t)
	d.loadDemo(t)
	// pictures go into the notebook, whatever this shell has set
	d.env = append(d.env, "MPLBACKEND=module://matplotlib_inline.backend_inline")
	out := d.run(t, "", "python3", "-c", runNotebook, path)
	pictures, complaints, _ := strings.Cut(out, "\n")
	if want := "4 pictures"; pictures != want {
		t.Errorf("it drew %s, want %s", pictures, want)
	}
	if complaints = strings.TrimSpace(complaints); complaints != "" {
		t.Errorf("it complains:\n%s", complaints)
	}
}
