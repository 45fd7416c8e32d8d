// Which yosys runs. Users have many versions: Debian's, that of a distribution
// of tools, that of npm which `make tools` fetches. Those from oldestTested to
// newestTested give the same netlists in this package's tests.

package verilog

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// YosysVariable is the environment variable that names the yosys to run.
const YosysVariable = "NETCOV_YOSYS"

// launcher is where `make tools` puts a newer yosys, below netcov's own folder.
const launcher = "scripts/yosys-npm/yosys"

// version is that of a yosys, such as 0.41 or 0.69+62.
type version struct{ major, minor int }

var (
	oldestTested = version{0, 23}
	newestTested = version{0, 70}
)

func (v version) less(w version) bool {
	return v.major < w.major || v.major == w.major && v.minor < w.minor
}

func (v version) String() string { return fmt.Sprintf("%d.%d", v.major, v.minor) }

var versionText = regexp.MustCompile(`Yosys (\d+)\.(\d+)(\S*)`)

// parseVersion reads what yosys says of itself: `yosys -V`, or the creator of a
// JSON netlist.
func parseVersion(text string) (v version, full string, ok bool) {
	m := versionText.FindStringSubmatch(text)
	if m == nil {
		return v, "", false
	}
	v.major, _ = strconv.Atoi(m[1])
	v.minor, _ = strconv.Atoi(m[2])
	return v, m[1] + "." + m[2] + m[3], true
}

// untested returns the note for a yosys outside of the tested versions, "" for
// the others.
func untested(creator string) string {
	v, full, ok := parseVersion(creator)
	switch {
	case !ok:
		return fmt.Sprintf("this yosys does not tell its version; netcov is tested with %v to %v", oldestTested, newestTested)
	case v.less(oldestTested) || newestTested.less(v):
		return fmt.Sprintf("yosys %s is outside of the versions that netcov is tested with, %v to %v", full, oldestTested, newestTested)
	}
	return ""
}

// candidate is a place where a yosys may be.
type candidate struct{ path, source string }

// candidates lists where yosys is looked for, the first choice first.
func candidates() []candidate {
	var cs []candidate
	if name := os.Getenv(YosysVariable); name != "" {
		cs = append(cs, candidate{name, YosysVariable})
	}
	cs = append(cs, candidate{"yosys", "PATH"})
	if own, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(own); err == nil {
			own = real
		}
		cs = append(cs, candidate{filepath.Join(filepath.Dir(own), "..", launcher), "make tools"})
	}
	return cs
}

// findYosys returns the first yosys there is. A name in the environment is
// taken as it is, so that a wrong one is an error and no other program runs.
func findYosys() string {
	for _, c := range candidates() {
		if c.source == YosysVariable || runnable(c.path) {
			return c.path
		}
	}
	return "yosys"
}

// runnable reports whether a program is there; the launcher alone is of no use.
func runnable(path string) bool {
	if _, err := exec.LookPath(path); err != nil {
		return false
	}
	return !strings.HasSuffix(path, launcher) || exists(filepath.Join(filepath.Dir(path), "node_modules", ".share"))
}

// Program is a yosys of this machine.
type Program struct {
	Path    string // as it is run
	Source  string // "PATH", "make tools", or the name of the environment variable
	Version string // "" when it does not run
	Tested  bool   // the version lies in the tested range
	Slang   bool   // it has read_slang, built in or as a plugin
	Problem string // why it does not run
}

// Programs lists the yosys of this machine. The first is the one that netcov
// runs, unless it is told another.
func Programs(ctx context.Context) []Program {
	var ps []Program
	for _, c := range candidates() {
		if c.source != YosysVariable && !runnable(c.path) {
			continue
		}
		p := Program{Path: c.path, Source: c.source}
		if full, err := exec.LookPath(c.path); err == nil {
			p.Path = full
		}
		said, err := exec.CommandContext(ctx, c.path, "-V").CombinedOutput()
		_, full, ok := parseVersion(string(said))
		switch {
		case err != nil:
			p.Problem = cause(err).Error()
		case !ok:
			p.Problem = "it does not tell its version"
		default:
			p.Version, p.Tested = full, untested(string(said)) == ""
			p.Slang = slangIn(ctx, c.path) != withoutSlang
		}
		ps = append(ps, p)
	}
	return ps
}

// TestedVersions returns the oldest and the newest version that are tested.
func TestedVersions() (oldest, newest string) { return oldestTested.String(), newestTested.String() }
