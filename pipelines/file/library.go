package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pipeline/pipelines"
)

// A Library finds pipelines: the user's, in a folder, and shipped ones. A user's pipeline replaces a shipped one of the
// same name.
type Library struct {
	Folder string // folder of the user's pipelines, NAME.yaml each; it need not exist
	Home   string
	Data   string // the folder of the default warehouse
	Now    time.Time
}

const pipelineExt = ".yaml"

// A Listed is a pipeline of the library, or its error.
type Listed struct {
	Name     string
	Pipeline *Pipeline
	Replaces bool // it replaces a shipped one of the same name
	Err      error
}

// Find returns the pipeline with a name, or of a file; an argument with a slash or the ending of a file is a file. The
// error is a *pipelines.UsageError or an *Error.
func (l Library) Find(arg string) (*Pipeline, error) {
	if IsFile(arg) {
		return l.read(arg)
	}
	if checkName(arg, l.Now) == nil {
		if file := filepath.Join(l.Folder, arg+pipelineExt); exists(file) {
			return l.readNamed(file, arg)
		}
		if text, err := shipped.ReadFile(arg + pipelineExt); err == nil {
			return l.readShipped(arg, text)
		}
	}
	message := fmt.Sprintf("there is no pipeline %q", arg)
	names := l.names()
	if meant := pipelines.DidYouMean(arg, names); meant != "" {
		message += meant
	} else {
		message += fmt.Sprintf(" among %s, and no %s", strings.Join(names, ", "),
			filepath.Join(l.Folder, arg+pipelineExt))
	}
	if info, err := os.Stat(arg); err == nil && info.IsDir() {
		message += "; to read a folder use --source " + arg
	}
	return nil, usage("%s", message)
}

// IsFile reports whether an argument is the path of a pipeline's file, and not a name.
func IsFile(arg string) bool { return strings.ContainsAny(arg, `/\`) || isYAML(arg) }

func isYAML(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// exists is also true for a file that cannot be looked at: reading it gives the error.
func exists(file string) bool {
	_, err := os.Lstat(file)
	return err == nil || !errors.Is(err, fs.ErrNotExist)
}

// names are those of all pipelines, sorted.
func (l Library) names() []string {
	var out []string
	if entries, err := shipped.ReadDir("."); err == nil {
		for _, e := range entries {
			out = append(out, strings.TrimSuffix(e.Name(), pipelineExt))
		}
	}
	files, _ := os.ReadDir(l.Folder) // a missing folder has none; List reports other errors
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), pipelineExt); ok && !slices.Contains(out, name) &&
			checkName(name, l.Now) == nil {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// List returns all pipelines by name, including broken ones and files with a name that is not valid.
func (l Library) List() ([]Listed, error) {
	files, err := os.ReadDir(l.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the folder of pipelines: %w", err)
	}
	var out []Listed
	for _, name := range l.names() {
		p, err := l.Find(name)
		_, noneShipped := fs.Stat(shipped, name+pipelineExt)
		out = append(out, Listed{name, p, noneShipped == nil && exists(filepath.Join(l.Folder, name+pipelineExt)), err})
	}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), pipelineExt)
		switch file := filepath.Join(l.Folder, f.Name()); {
		case strings.HasPrefix(name, "."): // a file of an editor
		case !ok && isYAML(f.Name()):
			out = append(out, Listed{Name: f.Name(),
				Err: whole(file, "is not read: its name must end in "+pipelineExt)})
		case ok && checkName(name, l.Now) != nil:
			out = append(out, Listed{Name: f.Name(),
				Err: whole(file, "is not read: a pipeline's name has letters, digits, '.', '_' and '-' only")})
		}
	}
	return out, nil
}

func whole(file, message string) error {
	return &Error{File: file, Problems: []Problem{{Message: message}}}
}

// readNamed reads a file that was found by its name.
func (l Library) readNamed(file, name string) (*Pipeline, error) {
	p, err := l.read(file)
	if err == nil && p.Lines["name"] > 0 && p.Name != name {
		line := p.Lines["name"]
		source := strings.Split(p.Text, "\n")[line-1]
		return nil, &Error{File: file,
			Problems: []Problem{{line, 1,
				fmt.Sprintf("name is %q and the file is called %s: give them the same name, or leave the key out",
					p.Name, filepath.Base(file)), source, len("name")}}}
	}
	if err == nil {
		p.Name = name
	}
	return p, err
}

// readShipped reads a shipped pipeline. It has no folder, so its paths must begin with the home folder or the data
// folder.
func (l Library) readShipped(name string, text []byte) (*Pipeline, error) {
	p, err := Reading{Name: name + pipelineExt, Home: l.Home, Data: l.Data, Now: l.Now}.Read(text)
	if err == nil {
		p.Name, p.File, p.Shipped = name, "", true
	}
	return p, err
}

// read reads a file.
func (l Library) read(file string) (*Pipeline, error) {
	data, err := readSmall(file)
	if err != nil {
		return nil, err
	}
	dir, err := filepath.Abs(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	p, err := Reading{Name: file, Dir: dir, Home: l.Home, Data: l.Data, Now: l.Now}.Read(data)
	if err == nil && p.Name == "" {
		p.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	return p, err
}

// readSmall reads a small file. It does not wait for a pipe or a device.
func readSmall(file string) (_ []byte, err error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, whole(file, "does not exist; 'pipeline pipelines list' lists the pipelines")
	case errors.Is(err, fs.ErrPermission):
		return nil, whole(file, "may not be read: "+reason(err)+"; look at the rights of the folders above it")
	case err != nil:
		return nil, whole(file, reason(err))
	case info.IsDir():
		return nil, whole(file, "is a folder, not a pipeline's file; to read Cursor's history there use --source "+file)
	case !info.Mode().IsRegular():
		return nil, whole(file, "is no regular file: a pipeline is read from one")
	}
	f, err := os.Open(file)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, whole(file, fmt.Sprintf("may not be read: its rights are %s; chmod u+r lets its owner read it",
			info.Mode().Perm()))
	case err != nil:
		return nil, whole(file, reason(err))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return io.ReadAll(io.LimitReader(f, maxPipeline+1))
}

// reason is the system's error without the path, which the message has anyway.
func reason(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}
