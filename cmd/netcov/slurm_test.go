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

// TestSlurm runs farms on a real Slurm: arrays of 2, 8 and 32 tasks, workers and hosts
// that are killed, jobs that are requeued and cancelled. Each merged report says what
// that of one machine says.
func TestSlurm(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("Slurm runs on Linux")
	}
	s := startSlurm(t)
	program, dir := built(t), t.TempDir()
	one := map[string]string{}
	for _, c := range farmCases {
		one[c.design] = filepath.Join(dir, c.design+".json")
		mustRun(t, program, append([]string{"cover", filepath.Join(designs, c.design), "--why", "none", "--format", "json", "-o", one[c.design]}, c.flags...)...)
	}
	farms := 0
	submit := func(c farmCase, tasks int, more ...string) string {
		t.Helper()
		farms++
		farm := filepath.Join(dir, "farm"+strconv.Itoa(farms))
		text := mustRun(t, program, append(append([]string{
			"farm", "submit", filepath.Join(designs, c.design), "--dir", farm, "--tasks", strconv.Itoa(tasks), "--launcher", "slurm",
			"--budget", "1ms", "--lease", "2s", "--memory-limit", "300MiB", "--time", "10m", "--why", "none",
			"--launcher-option=--comment=netcov test",
		}, c.flags...), more...)...)
		t.Logf("%s, %d tasks:\n%s", c.design, tasks, text)
		return farm
	}
	finish := func(c farmCase, farm string) {
		t.Helper()
		begin := time.Now()
		mustRun(t, program, "farm", "wait", farm)
		sameVerdicts(t, one[c.design], filepath.Join(farm, "report.json"))
		evidence, merged := farm+".evidence", farm+".json"
		mustRun(t, program, "farm", "merge", farm, "--format", "json", "-o", merged, "--evidence", evidence)
		sameVerdicts(t, one[c.design], merged)
		verified := mustRun(t, program, "verify", evidence, "--design", filepath.Join(designs, c.design), "--report", merged)
		if !strings.Contains(verified, "everything stands") {
			t.Error(verified)
		}
		t.Logf("ended after %.1f s: the merged report is that of one machine, its evidence stands", time.Since(begin).Seconds())
	}

	for _, c := range farmCases {
		for _, tasks := range []int{2, 8, 32} {
			finish(c, submit(c, tasks))
		}
	}
	c := farmCases[0]

	t.Log("workers are killed (signal 9): the script asks Slurm to run them again")
	farm := submit(c, 4)
	killed := killWorkers(t, farm, 3)
	t.Logf("%d workers killed", killed)
	restarted := false
	s.until(2*time.Minute, "a worker was requeued", func() bool {
		restarted = restarted || strings.Contains(s.say("scontrol", "show", "job"), "Requeue=1 Restarts=1")
		return killed == 0 || restarted
	})
	finish(c, farm)

	t.Log("jobs are requeued while they run")
	farm = submit(c, 3)
	job := jobOf(t, farm)
	s.until(time.Minute, "workers run", func() bool { return s.say("squeue", "--noheader", "--states=running", "--job="+job) != "" })
	t.Log(s.say("scontrol", "requeue", job))
	finish(c, farm)

	t.Log("a host dies: its slurmd, its workers, all at once")
	farm = submit(c, 9)
	s.until(time.Minute, "workers run", func() bool {
		return s.say("squeue", "--noheader", "--states=running", "--name=netcov", "--job="+jobOf(t, farm)) != "" || done(farm)
	})
	if pid := s.daemon("n2.pid", "slurmd"); pid != 0 {
		t.Logf("slurmd of n2 (%d) and %d workers of the farm are killed", pid, killWorkers(t, farm, 3))
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	s.say("scontrol", "update", "nodename=n2", "state=down", "reason=dead") // else Slurm waits for its timeouts
	finish(c, farm)
	s.startHost(2)
	s.say("scontrol", "update", "nodename=n2", "state=resume")

	t.Log("only a slurmd dies: its tasks go on, and may run twice")
	farm = submit(c, 9)
	if pid := s.daemon("n3.pid", "slurmd"); pid != 0 {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	s.say("scontrol", "update", "nodename=n3", "state=down", "reason=dead")
	finish(c, farm)
	s.startHost(3)
	s.say("scontrol", "update", "nodename=n3", "state=resume")

	t.Log("a farm is cancelled and submitted again")
	farm = submit(c, 4)
	mustRun(t, program, "farm", "cancel", farm)
	s.until(time.Minute, "no job is left", func() bool { return strings.TrimSpace(s.say("squeue", "--noheader")) == "" })
	t.Log(mustRun(t, program, "farm", "status", farm))
	again := []string{
		"farm", "submit", filepath.Join(designs, c.design), "--dir", farm, "--tasks", "4", "--launcher", "slurm", "--budget", "1ms", "--lease", "2s", "--why", "none",
	}
	t.Log(mustRun(t, program, append(again, c.flags...)...))
	finish(c, farm)
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

// done tells whether the dependent job of a farm has written its report.
func done(farm string) bool {
	_, err := os.Stat(filepath.Join(farm, "report.json"))
	return err == nil
}
