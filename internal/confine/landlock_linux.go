// No way to write, to read devices or to reach the network: Landlock, the kernel's
// sandbox for unprivileged programs (Linux 5.13 and newer; network from 6.7 on). It binds
// a thread and what that thread starts, so the program is started from a thread that is
// bound, and that ends after it.

package confine

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// writing is all that changes files; later versions of the kernel know more.
const writing = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
	unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
	unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_MAKE_SYM

// confine binds the calling thread, and reports whether that was possible.
func confine(folder string) bool {
	version, _, failed := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if failed != 0 {
		return false
	}
	rules := unix.LandlockRulesetAttr{Handled_access_fs: writing | unix.LANDLOCK_ACCESS_FS_READ_FILE}
	if version >= 2 {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if version >= 3 {
		rules.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	size := unsafe.Sizeof(rules.Handled_access_fs)
	if version >= 4 {
		rules.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
		size += unsafe.Sizeof(rules.Handled_access_net)
	}
	set, _, failed := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&rules)), size, 0)
	if failed != 0 {
		return false
	}
	defer unix.Close(int(set))
	if !allowReading(int(set)) {
		return false
	}
	const toFile = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	if !allow(int(set), folder, rules.Handled_access_fs) || !allow(int(set), "/dev/null", (toFile|unix.LANDLOCK_ACCESS_FS_READ_FILE)&rules.Handled_access_fs) {
		return false
	}
	if unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != nil {
		return false
	}
	_, _, failed = unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, set, 0, 0)
	return failed == 0
}

// allowReading adds rules for all files but devices, some of which have no end.
func allowReading(set int) bool {
	entries, err := os.ReadDir("/")
	if err != nil {
		return false
	}
	for _, e := range entries {
		path := "/" + e.Name()
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() || path == "/dev" {
			continue
		}
		allow(set, path, unix.LANDLOCK_ACCESS_FS_READ_FILE) // what cannot be opened needs no rule
	}
	return allow(set, "/dev/urandom", unix.LANDLOCK_ACCESS_FS_READ_FILE)
}

// allow adds a rule for what lies below a path.
func allow(set int, path string, access uint64) bool {
	at, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return false
	}
	defer unix.Close(at)
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(at)}
	_, _, failed := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	return failed == 0
}
