package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// cluster is a Slurm cluster of its own on this machine: a controller, several hosts
// that are imitated (slurmd -N), and munge, all on the loopback device.
type cluster struct {
	t    *testing.T
	dir  string
	conf string
}

const slurmHosts = 3

// startSlurm starts a cluster; the test is skipped where Slurm is not installed.
func startSlurm(t *testing.T) *cluster {
	t.Helper()
	for _, program := range []string{"slurmctld", "slurmd", "munged", "sbatch"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("Slurm is not installed:", err)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("the daemons of Slurm need root")
	}
	dir, err := os.MkdirTemp("", "slurm") // a short name: sockets lie here
	if err != nil {
		t.Fatal(err)
	}
	s := &cluster{t, dir, filepath.Join(dir, "slurm.conf")}
	t.Cleanup(s.stop)
	for _, name := range []string{"state", "spool", "munge"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	key := make([]byte, 1024)
	for i := range key {
		key[i] = byte(7 * i)
	}
	if err := os.WriteFile(filepath.Join(dir, "munge/key"), key, 0o600); err != nil {
		t.Fatal(err)
	}
	port := 17000 + os.Getpid()%9000
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	conf := fmt.Sprintf(`ClusterName=netcov
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[2]d
SlurmUser=root
SlurmdUser=root
# a key of its own; a requeued job waits as long as credentials live
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=%[3]s/munge/socket,cred_expire=5
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=%[3]s/state
SlurmdSpoolDir=%[3]s/spool/%%n
SlurmctldPidFile=%[3]s/slurmctld.pid
SlurmdPidFile=%[3]s/%%n.pid
SlurmctldLogFile=%[3]s/slurmctld.log
SlurmdLogFile=%[3]s/%%n.log
# no cgroups; pgid ends a worker whose script was killed
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
# a small cluster that answers at once
SchedulerParameters=batch_sched_delay=0,sched_interval=1
SlurmdTimeout=3
MessageTimeout=5
KillWait=2
MinJobAge=600
ReturnToService=2
RequeueExit=75
MailProg=/bin/true
`, host, port, dir)
	for i := 1; i <= slurmHosts; i++ {
		conf += fmt.Sprintf("NodeName=n%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=4 Boards=1 SocketsPerBoard=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000\n", i, host, port+i)
	}
	conf += "PartitionName=main Nodes=ALL Default=YES State=UP DefMemPerCPU=100\n"
	for name, text := range map[string]string{"slurm.conf": conf, "cgroup.conf": "CgroupPlugin=autodetect\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("SLURM_CONF", s.conf)
	at := func(name string) string { return filepath.Join(dir, "munge", name) }
	s.must("munged", "--key-file="+at("key"), "--socket="+at("socket"), "--pid-file="+at("pid"), "--log-file="+at("log"), "--seed-file="+at("seed"))
	s.must("slurmctld", "-f", s.conf)
	for i := 1; i <= slurmHosts; i++ {
		s.startHost(i)
	}
	s.until(time.Minute, "all hosts are idle", func() bool {
		return strings.Count(s.say("sinfo", "--noheader", "--Node", "--states=idle", "--format=%N"), "\n") == slurmHosts
	})
	return s
}

// must runs a command of the cluster and returns what it prints.
func (s *cluster) must(args ...string) string {
	s.t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		s.t.Fatalf("%v: %v: %s", args, err, out)
	}
	return string(out)
}

// say runs a command that may fail for a while.
func (s *cluster) say(args ...string) string {
	out, _ := exec.Command(args[0], args[1:]...).Output()
	return string(out)
}

func (s *cluster) until(limit time.Duration, what string, true func() bool) {
	s.t.Helper()
	for end := time.Now().Add(limit); !true(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			logs, _ := os.ReadFile(filepath.Join(s.dir, "slurmctld.log"))
			s.t.Fatalf("after %v it is not so that %s\n%s\n%s", limit, what, s.say("squeue"), tail(string(logs), 2000))
		}
	}
}

func tail(text string, bytes int) string { return text[max(0, len(text)-bytes):] }

func (s *cluster) startHost(i int) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Join(s.dir, "spool", "n"+strconv.Itoa(i)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	s.must("slurmd", "-f", s.conf, "-N", "n"+strconv.Itoa(i))
}

// daemon returns the process of a daemon, 0 where there is none.
func (s *cluster) daemon(pidFile, name string) int {
	text, err := os.ReadFile(filepath.Join(s.dir, pidFile))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil || strings.TrimSpace(string(comm)) != name {
		return 0 // the file is old
	}
	return pid
}

// stop ends what startSlurm started, by process.
func (s *cluster) stop() {
	s.say("scancel", "--full", "--user=root")
	end := func(pidFile, name string) {
		pid := s.daemon(pidFile, name)
		if pid == 0 {
			return
		}
		_ = syscall.Kill(pid, syscall.SIGTERM)
		for range 50 {
			if s.daemon(pidFile, name) == 0 {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	for range 50 {
		if strings.TrimSpace(s.say("squeue", "--noheader")) == "" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	for i := 1; i <= slurmHosts; i++ {
		end(fmt.Sprintf("n%d.pid", i), "slurmd")
	}
	end("slurmctld.pid", "slurmctld")
	end("munge/pid", "munged")
	os.RemoveAll(s.dir)
}

// logf tells what happens; with NETCOV_SLURM_LOG in a file of that name, too, which
// can be read where all tests pass.
func (s *cluster) logf(format string, args ...any) {
	s.t.Helper()
	text := fmt.Sprintf(format, args...)
	s.t.Log(text)
	if path := os.Getenv("NETCOV_SLURM_LOG"); path != "" {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			s.t.Fatal(err)
		}
		fmt.Fprintf(file, "%s %s\n", time.Now().Format(time.TimeOnly), text)
		file.Close()
	}
}

// workersOf returns the processes of a farm's workers on a host; "": on all.
func workersOf(farm, host string) []int {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var out []int
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		args := strings.Split(string(text), "\x00")
		if len(args) < 4 || args[1] != "farm" || args[2] != "worker" || args[3] != farm {
			continue
		}
		dir := filepath.Dir(file)
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || host != "" && !strings.Contains(string(env), "SLURMD_NODENAME="+host+"\x00") {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(dir))
		out = append(out, pid)
	}
	return out
}

// parent returns the parent of a process and the name of its program.
func parent(pid int) (int, string) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, ""
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	up, _ := strconv.Atoi(fields[1])
	name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", up))
	return up, strings.TrimSpace(string(name))
}

// crash kills workers with the script and the slurmstepd above each, and the slurmd of
// their host, as when its power goes.
func (s *cluster) crash(host string, workers []int) {
	if pid := s.daemon(host+".pid", "slurmd"); pid != 0 {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	for _, pid := range workers {
		script, name := parent(pid)
		above, daemon := parent(script)
		if name == "slurm_script" && daemon == "slurmstepd" {
			_ = syscall.Kill(above, syscall.SIGKILL)
			_ = syscall.Kill(script, syscall.SIGKILL)
		}
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// down tells Slurm of a host's death, which it would notice by its timeouts.
func (s *cluster) down(host string) {
	s.must("scontrol", "update", "nodename="+host, "state=down", "reason=dead")
}

// up brings a host back.
func (s *cluster) up(i int) {
	s.startHost(i)
	s.until(30*time.Second, "the host is back", func() bool {
		s.say("scontrol", "update", "nodename=n"+strconv.Itoa(i), "state=resume")
		return strings.Contains(s.say("sinfo", "--noheader", "--Node", "--states=idle", "--format=%N"), "n"+strconv.Itoa(i))
	})
}

// TestSlurm runs farms on a real Slurm: arrays of 2, 8 and 32 tasks, workers and hosts
// that are killed, jobs that are requeued and cancelled. Each merged report says what
// that of one machine says.
func TestSlurm(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Slurm runs on Linux")
	}
	s := startSlurm(t)
	program, dir := built(t), t.TempDir()
	slow := farmCase{"fifo.aag", []string{"--nodes", "all", "--naive"}} // there is time for faults
	one := map[string]string{}
	key := func(c farmCase) string { return c.design + strings.Join(c.flags, "") }
	for _, c := range append(farmCases, slow) {
		one[key(c)] = filepath.Join(dir, key(c)+".json")
		mustRun(t, program, append([]string{"cover", filepath.Join(designs, c.design), "--why", "none", "--format", "json", "-o", one[key(c)]}, c.flags...)...)
	}
	farms := 0
	submit := func(c farmCase, farm string, tasks int) string {
		t.Helper()
		if farm == "" {
			farms++
			farm = filepath.Join(dir, "farm"+strconv.Itoa(farms))
		}
		text := mustRun(t, program, append([]string{
			"farm", "submit", filepath.Join(designs, c.design), "--dir", farm, "--tasks", strconv.Itoa(tasks), "--launcher", "slurm",
			"--budget", "1ms", "--lease", "2s", "--memory-limit", "300MiB", "--time", "10m", "--why", "none",
			"--launcher-option=--comment=netcov test",
		}, c.flags...)...)
		s.logf("%s %s, %d tasks\n%s", c.design, strings.Join(c.flags, " "), tasks, strings.TrimSpace(text))
		return farm
	}
	finish := func(c farmCase, farm string) {
		t.Helper()
		begin := time.Now()
		mustRun(t, program, "farm", "wait", farm)
		sameVerdicts(t, one[key(c)], filepath.Join(farm, "report.json"))
		evidence, merged := farm+".evidence", farm+".json"
		mustRun(t, program, "farm", "merge", farm, "--format", "json", "-o", merged, "--evidence", evidence)
		sameVerdicts(t, one[key(c)], merged)
		verified := mustRun(t, program, "verify", evidence, "--design", filepath.Join(designs, c.design), "--report", merged)
		if !strings.Contains(verified, "everything stands") {
			t.Error(verified)
		}
		s.logf("ended after %.1f s: the merged report says what that of one machine says; verify: everything stands", time.Since(begin).Seconds())
	}
	// running returns a farm's workers on a host as soon as there are some.
	running := func(farm, host string) []int {
		t.Helper()
		var pids []int
		s.until(time.Minute, "a worker runs on "+host, func() bool {
			for range 50 {
				if pids = workersOf(farm, host); len(pids) > 0 {
					return true
				}
				time.Sleep(2 * time.Millisecond)
			}
			return false
		})
		return pids
	}
	restarts := func(job string) bool {
		return strings.Contains(s.say("scontrol", "show", "job", job), "Restarts=1")
	}

	for _, c := range farmCases {
		for _, tasks := range []int{2, 8, 32} {
			finish(c, submit(c, "", tasks))
		}
	}

	s.logf("FAULT: workers are killed (signal 9); their scripts have Slurm run them again")
	farm := submit(slow, "", 4)
	killed := 0
	for _, pid := range running(farm, "") {
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	s.logf("%d workers were killed", killed)
	s.until(2*time.Minute, "a worker was run again", func() bool { return restarts(jobOf(t, farm)) })
	s.logf("Slurm runs them again")
	finish(slow, farm)

	s.logf("FAULT: jobs are requeued while they run")
	farm = submit(slow, "", 3)
	running(farm, "")
	s.must("scontrol", "requeue", jobOf(t, farm))
	s.until(time.Minute, "the job was requeued", func() bool { return restarts(jobOf(t, farm)) })
	finish(slow, farm)

	s.logf("FAULT: a host dies: slurmd, slurmstepd, scripts and workers at once")
	farm = submit(slow, "", 9)
	pids := running(farm, "n2")
	s.crash("n2", pids)
	s.down("n2")
	s.logf("the host n2 died with %d workers", len(pids))
	finish(slow, farm)
	s.up(2)

	s.logf("FAULT: only a slurmd is killed: its tasks go on while Slurm runs them again elsewhere")
	farm = submit(slow, "", 9)
	pids = running(farm, "n3")
	s.crash("n3", nil)
	s.down("n3")
	s.logf("slurmd of n3 was killed; its %d workers go on", len(pids))
	finish(slow, farm)
	s.up(3)

	s.logf("FAULT: a farm is cancelled, and submitted again")
	farm = submit(slow, "", 4)
	running(farm, "")
	mustRun(t, program, "farm", "cancel", farm)
	s.until(time.Minute, "no job is left", func() bool { return strings.TrimSpace(s.say("squeue", "--noheader")) == "" })
	s.logf("%s", strings.TrimSpace(mustRun(t, program, "farm", "status", farm)))
	submit(slow, farm, 4)
	finish(slow, farm)
}

// jobOf returns the job of a farm's workers.
func jobOf(t *testing.T, farm string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(farm, "jobs.json"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), `"workers": "`)
	id, _, _ := strings.Cut(rest, `"`)
	return id
}
