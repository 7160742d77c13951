//go:build linux

package graph

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// tail are the fields of /proc/pid/stat behind the command; the 22nd of all is
// the start time.
func tail(state, start string) string {
	return " " + state + " 1 7 7 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 " + start + " 1000 100 0\n"
}

func TestParseStat(t *testing.T) {
	for name, c := range map[string]struct {
		stat  string
		start uint64
		state processState
	}{
		"plain":               {"7 (cat)" + tail("S", "4711"), 4711, alive},
		"spaces":              {"7 (tmux: server 1 2)" + tail("R", "4711"), 4711, alive},
		"parentheses":         {"7 (a) Z 1 (b))" + tail("S", "4711"), 4711, alive},
		"line break":          {"7 (a\n) S)" + tail("S", "4711"), 4711, alive},
		"no name":             {"7 ()" + tail("I", "0"), 0, alive},
		"largest":             {"7 (cat)" + tail("D", "18446744073709551615"), 1<<64 - 1, alive},
		"zombie":              {"7 (cat)" + tail("Z", "4711"), 0, dead},
		"dead":                {"7 (cat)" + tail("X", "4711"), 0, dead},
		"exactly enough":      {"7 (cat) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711", 4711, alive},
		"short":               {"7 (cat) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18", 0, unknown},
		"short zombie":        {"7 (cat) Z 1", 0, unknown},
		"empty":               {"", 0, unknown},
		"no parenthesis":      {"7 cat S", 0, unknown},
		"only a name":         {"7 (cat)", 0, unknown},
		"start is no number":  {"7 (cat)" + tail("S", "soon"), 0, unknown},
		"start is negative":   {"7 (cat)" + tail("S", "-1"), 0, unknown},
		"start is too large":  {"7 (cat)" + tail("S", "18446744073709551616"), 0, unknown},
		"cut in the command":  {"7 (ca", 0, unknown},
		"more fields than 52": {"7 (cat)" + strings.TrimSpace(tail(" S", "4711")) + strings.Repeat(" 0", 60), 4711, alive},
	} {
		if start, state := parseStat([]byte(c.stat)); start != c.start || state != c.state {
			t.Errorf("%s: got %d, %d, want %d, %d", name, start, state, c.start, c.state)
		}
	}
}

func TestOwnerGone(t *testing.T) {
	me := self()
	if me.PID != os.Getpid() || me.Start == 0 || me.Host == "" || me.Host != hostID() {
		t.Fatalf("self is %+v", me)
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Skip(err)
	}
	start, state := processStart(child.Process.Pid)
	other := Owner{me.Host, child.Process.Pid, start}
	if state != alive || start < me.Start || other.Gone() {
		t.Errorf("a child at work: %+v, started %d, is gone: %v", other, me.Start, other.Gone())
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it says that the child was killed
	reused := me
	reused.Start--
	unknownStart := me
	unknownStart.Start = 0
	for name, c := range map[string]struct {
		owner Owner
		gone  bool
	}{
		"this process":             {me, false},
		"another with its id":      {reused, true},
		"a child that is reaped":   {other, true},
		"no such process":          {Owner{me.Host, 1 << 30, 1}, true},
		"another host":             {Owner{"elsewhere/" + me.Host, 1 << 30, 1}, false},
		"another boot":             {Owner{strings.Replace(me.Host, "-", "+", 1), 1 << 30, 1}, false},
		"a start that nobody knew": {unknownStart, false},
		"nobody":                   {Owner{}, false},
	} {
		if c.owner.Gone() != c.gone {
			t.Errorf("%s: %+v is gone: %v", name, c.owner, !c.gone)
		}
	}
}

// A zombie has ended, although its id is still taken.
func TestOwnerThatIsAZombieIsGone(t *testing.T) {
	child := exec.Command("true")
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Skip(err)
	}
	defer child.Wait()
	_, _ = out.Read(make([]byte, 1)) // the end of its output, which the kernel closes as it exits
	for range 1_000_000 {
		if _, state := processStart(child.Process.Pid); state == dead {
			return
		}
	}
	t.Error("it is never seen as dead")
}

func FuzzParseStat(f *testing.F) {
	own, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(own)
	f.Add([]byte("7 (a) Z 1 (b))" + tail("Z", "4711")))
	f.Add([]byte(")"))
	f.Fuzz(func(t *testing.T, stat []byte) {
		start, state := parseStat(stat)
		if state != alive && start != 0 {
			t.Errorf("%d is the start of what is not alive", start)
		}
		// What the command is called makes no difference.
		if i := strings.LastIndexByte(string(stat), ')'); i >= 0 {
			s, st := parseStat(append([]byte("1 (x) Z (y)"), stat[i+1:]...))
			if s != start || st != state {
				t.Errorf("got %d, %d, with another name %d, %d", start, state, s, st)
			}
		}
	})
}
