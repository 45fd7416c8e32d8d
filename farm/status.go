package farm

// Status is what the names of the batches tell.
type Status struct {
	Todo, Taken, Done, Failed int // batches
	// Open are the mutants in batches that wait or are worked on, Given those in
	// batches that were given up.
	Open, Given int
	Workers     int // that have batches
	Journals    int // of workers
	Cancelled   bool
}

// Ended reports whether no batch waits or is worked on.
func (s Status) Ended() bool { return s.Todo == 0 && s.Taken == 0 }

// Status reads the names of all batches.
func (f *Farm) Status() (Status, error) {
	s := Status{Cancelled: f.Cancelled()}
	shards, err := f.shardNames()
	if err != nil {
		return s, err
	}
	workers := map[string]bool{}
	for _, shard := range shards {
		list, err := f.list(shard)
		if err != nil {
			return s, err
		}
		for _, e := range list {
			switch e.state {
			case todo:
				s.Todo++
				s.Open += e.size
			case taken:
				s.Taken++
				s.Open += e.size
				workers[e.worker] = true
			case done:
				s.Done++
			case failed:
				s.Failed++
				s.Given += e.size
			}
		}
	}
	s.Workers = len(workers)
	names, err := f.resultNames()
	s.Journals = len(names)
	return s, err
}
