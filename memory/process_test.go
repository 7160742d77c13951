package memory_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/repomind/repomind/memory"
)

// childFile is set in the processes that TestProcessesShareAFile starts.
const childFile = "MEMORY_TEST_CHILD_FILE"

func TestMain(m *testing.M) {
	if path := os.Getenv(childFile); path != "" {
		if err := work(path, os.Args[1]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

const savesOfAChild = 20

// work makes the file, if no other process was faster, and saves.
func work(path, name string) error {
	for i := range savesOfAChild {
		s, err := memory.Open(path, memory.Config{})
		if err != nil {
			return err
		}
		if err := s.Save(context.Background(), lesson(fmt.Sprint(name, i), "Gzip reader drops members")); err != nil {
			return err
		}
		if _, err := s.Recall(context.Background(), ask("Gzip reader drops members")); err != nil {
			return err
		}
		if err := s.Close(); err != nil {
			return err
		}
	}
	return nil
}

func TestProcessesShareAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "memory.db")
	var all sync.WaitGroup
	for _, name := range []string{"a", "b", "c", "d"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], name)
		cmd.Env = append(os.Environ(), childFile+"="+path)
		all.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		})
	}
	all.Wait()
	s, err := memory.Open(path, memory.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got, err := s.List(t.Context(), memory.Filter{Repo: repo})
	if err != nil || len(got) != 4*savesOfAChild {
		t.Errorf("%d lessons, want %d (%v)", len(got), 4*savesOfAChild, err)
	}
}
