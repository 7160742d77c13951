package client

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// getWheel asks for a wheel: to unpack one is to see the source, while the metadata
// of a source distribution is made by code of its own.
func getWheel(ctx context.Context, c Config, l Library, dir string) (Archive, error) {
	if l.Version == "" {
		set, err := pep440(l.Constraint)
		if err != nil {
			return Archive{}, err
		}
		return c.wheel(ctx, dir, l.Name+set)
	}
	// The wheel is read and not run, so it need not fit the Python that is here.
	spec := l.Name + "==" + l.Version
	got, err := c.wheel(ctx, dir, spec, "--ignore-requires-python")
	for _, python := range otherPythons {
		var failed *Error
		if !errors.As(err, &failed) || !strings.Contains(failed.Said, "No matching distribution found") {
			break
		}
		other, bad := c.wheel(ctx, dir, spec, append([]string{"--ignore-requires-python", "--python-version", python}, otherPlatforms...)...)
		if bad == nil {
			return other, nil
		}
	}
	return got, err
}

// Few wheels with machine code are for one Python only, so a few of these have them
// all; the likeliest come first, as each takes seconds.
var (
	otherPythons   = []string{"3.9", "3.7", "3.12", "2.7"}
	otherPlatforms = platforms("any", "manylinux1_x86_64", "manylinux2010_x86_64", "manylinux2014_x86_64", "manylinux_2_17_x86_64",
		"manylinux_2_28_x86_64", "macosx_10_9_x86_64", "macosx_11_0_arm64", "win_amd64")
)

func platforms(tags ...string) (args []string) {
	for _, tag := range tags {
		args = append(args, "--platform", tag)
	}
	return args
}

// wheel runs pip for one requirement.
func (c Config) wheel(ctx context.Context, dir, spec string, options ...string) (Archive, error) {
	args := append([]string{"download", "--no-deps", "--only-binary", ":all:", "--quiet", "--dest", dir}, options...)
	name := "pip"
	if c.look(name) == "" && c.look("pip3") != "" {
		name = "pip3"
	}
	if _, err := c.run(ctx, dir, name, append(args, "--", spec)...); err != nil {
		return Archive{}, err
	}
	wheels, err := filepath.Glob(filepath.Join(dir, "*.whl"))
	if err != nil || len(wheels) != 1 {
		return Archive{}, fmt.Errorf("pip left %d wheels", len(wheels))
	}
	parts := strings.Split(filepath.Base(wheels[0]), "-") // name-version-tags.whl
	return Archive{File: wheels[0], Version: parts[min(1, len(parts)-1)]}, nil
}

var caret = regexp.MustCompile(`^([~^])\s*(\d+)((?:\.\d+)*)$`)

// pep440 gives the form that pip reads for a constraint of Poetry: ^1.2 allows what
// keeps the first number that is not zero, ~1.2 what keeps the first two.
func pep440(set string) (string, error) {
	alternatives := strings.Split(set, "||")
	set = strings.TrimSpace(alternatives[len(alternatives)-1])
	var out []string
	for part := range strings.SplitSeq(set, ",") {
		part = strings.TrimSpace(part)
		m := caret.FindStringSubmatch(part)
		switch {
		case m != nil:
			out = append(out, ">="+m[2]+m[3], "<"+above(m[1], m[2]+m[3]))
		case part == "" || part == "*":
		case strings.ContainsAny(part[:1], "<>=!~"):
			out = append(out, strings.ReplaceAll(part, " ", ""))
		default:
			out = append(out, "=="+part)
		}
	}
	joined := strings.Join(out, ",")
	if strings.ContainsAny(joined, "^| ") {
		return "", fmt.Errorf("%w: the constraint %q", ErrInvalid, set)
	}
	return joined, nil
}

// above is the first version that ^ or ~ does not allow.
func above(mark, version string) string {
	nums := strings.Split(version, ".")
	at := 0
	if mark == "~" {
		at = min(1, len(nums)-1)
	} else {
		for at < len(nums)-1 && nums[at] == "0" {
			at++
		}
	}
	n, err := strconv.ParseUint(nums[at], 10, 31)
	if err != nil {
		return version
	}
	return strings.Join(append(nums[:at:at], strconv.FormatUint(n+1, 10)), ".")
}
