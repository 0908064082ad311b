package schedule

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

// TestHideConsole starts this test in a console of its own (without a window, since Wine may have none). There it
// leaves that console for another one, in which it starts a program. Its output and its exit code are as ever.
func TestHideConsole(t *testing.T) {
	const inside = "SCHEDULE_TEST_HIDES"
	system := windows.NewLazySystemDLL("kernel32.dll")
	if os.Getenv(inside) != "" {
		call := func(name string, args ...uintptr) uintptr {
			n, _, _ := system.NewProc(name).Call(args...)
			return n
		}
		title, found, others := windows.StringToUTF16Ptr("the first"), [64]uint16{}, [8]uint32{}
		if call("SetConsoleTitleW", uintptr(unsafe.Pointer(title))) == 0 {
			t.Fatal("there is no console")
		}
		HideConsole()
		if n := call("GetConsoleProcessList", uintptr(unsafe.Pointer(&others[0])), uintptr(len(others))); n == 0 {
			t.Fatal("it has no console")
		}
		call("GetConsoleTitleW", uintptr(unsafe.Pointer(&found[0])), uintptr(len(found)))
		if windows.UTF16ToString(found[:]) == "the first" {
			t.Fatal("it is the console that was there")
		}
		out, err := exec.Command("cmd", "/D", "/C", "echo said").Output()
		must(t, err)
		_, _ = os.Stdout.Write(out)
		os.Exit(75)
	}
	cmd := exec.Command(os.Args[0], "-test.run", "^TestHideConsole$")
	cmd.Env = append(os.Environ(), inside+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NO_WINDOW}
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 75 ||
		strings.TrimSpace(string(out)) != "said" {
		t.Errorf("%v\n%s", err, out)
	}
}
