package graphtest

import (
	"crypto/rand"
	"sync"
	"time"

	"github.com/repomind/repomind/graph"
)

var leaseTests = tests{
	{"Begin stores the first checkpoint and leases the thread", beginStores},
	{"Begin refuses a thread that exists", beginTwice},
	{"of many who begin a thread one does", beginRace},
	{"Acquire refuses a thread that does not exist", acquireNothing},
	{"Acquire keeps the run and raises the fence", acquireKeepsRun},
	{"Acquire makes the thread running and says what it was", acquireRuns},
	{"the live owner on this host is not replaced", acquireAlive},
	{"an owner on another host is replaced when its TTL has passed", acquireExpired},
	{"a dead owner on this host is replaced at once", acquireDead},
	{"an owner whose process id another process has now is replaced at once", acquireReusedPID},
	{"of many who acquire a thread one does", acquireRace},
	{"Renew extends the lease by its TTL from now", renew},
	{"Renew saves a lease that ran out and that nobody took", renewLate},
	{"Release ends the lease and records the status", releases},
}

func beginStores(e *env) {
	c := claim(elsewhere)
	l, err := e.store.Begin(e.Context(), "t", c, checkpoint(0, first()...))
	e.must(err)
	e.equal(l, graph.Lease{Thread: "t", Run: c.Run, Fence: l.Fence, TTL: ttl, Was: l.Was})
	e.equal(*e.load("t", -1), graph.Loaded{
		ThreadInfo: graph.ThreadInfo{
			Thread: "t", Run: c.Run, Status: graph.StatusRunning, Updated: epoch, Owner: elsewhere, Until: epoch.Add(ttl),
		},
		Checkpoint: checkpoint(0, byField(first())...),
	})
}

func beginTwice(e *env) {
	l := e.begin("t", first()...)
	for _, ended := range []bool{false, true} {
		if ended {
			e.release(l, graph.StatusDone)
		}
		before := e.dump("t")
		_, err := e.store.Begin(e.Context(), "t", claim(elsewhere), checkpoint(0, whole("n", 0, `7`)))
		e.refused(err, graph.ErrThreadExists)
		e.equal(e.dump("t"), before)
	}
}

func beginRace(e *env) {
	got := race(func() error {
		_, err := e.store.Begin(e.Context(), "t", claim(elsewhere), checkpoint(0))
		return err
	})
	e.equal(e.count(got, graph.ErrThreadExists), 1)
}

// race calls fn 20 times at once.
func race(fn func() error) []error {
	errs := make([]error, 20)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = fn() })
	}
	wg.Wait()
	return errs
}

// count gives the number of successes; what failed must have failed with want.
func (e *env) count(errs []error, want error) (n int) {
	e.Helper()
	for _, err := range errs {
		if err == nil {
			n++
		} else {
			e.refused(err, want)
		}
	}
	return n
}

func acquireNothing(e *env) {
	_, err := e.store.Acquire(e.Context(), "t", claim(elsewhere))
	e.refused(err, graph.ErrNoThread)
}

func acquireKeepsRun(e *env) {
	old := e.begin("t")
	for range 3 {
		e.release(old, graph.StatusPaused)
		l, err := e.store.Acquire(e.Context(), "t", graph.Claim{Owner: elsewhere, TTL: time.Minute, Run: rand.Text()})
		e.must(err)
		e.equal(l, graph.Lease{
			Thread: "t", Run: old.Run, Fence: max(l.Fence, old.Fence+1), TTL: time.Minute, Was: graph.StatusPaused,
		})
		e.equal(e.load("t", -1).Until, epoch.Add(time.Minute))
		old = l
	}
}

func (e *env) busy(thread string, o graph.Owner) {
	e.Helper()
	before := e.dump(thread)
	_, err := e.store.Acquire(e.Context(), thread, claim(o))
	e.refused(err, graph.ErrBusy)
	e.equal(e.dump(thread), before)
}

func acquireAlive(e *env) {
	me := self(e.T)
	_, err := e.store.Begin(e.Context(), "t", claim(me), checkpoint(0))
	e.must(err)
	e.busy("t", elsewhere)
	e.busy("t", me)
}

func acquireExpired(e *env) {
	e.begin("t")
	e.clock.pass(ttl - 1)
	e.busy("t", self(e.T))
	e.clock.pass(1)
	e.acquire("t", self(e.T))
	e.equal(e.load("t", -1).Owner, self(e.T))
}

func acquireDead(e *env) {
	_, err := e.store.Begin(e.Context(), "t", claim(dead(e.T)), checkpoint(0))
	e.must(err)
	e.acquire("t", elsewhere)
	e.equal(e.load("t", -1).Owner, elsewhere)
}

func acquireReusedPID(e *env) {
	dead(e.T) // skips where nothing is known about processes
	former := self(e.T)
	former.Start--
	_, err := e.store.Begin(e.Context(), "t", claim(former), checkpoint(0))
	e.must(err)
	e.acquire("t", elsewhere)
}

func acquireRace(e *env) {
	e.release(e.begin("t"), graph.StatusFailed)
	got := race(func() error {
		_, err := e.store.Acquire(e.Context(), "t", claim(elsewhere))
		return err
	})
	e.equal(e.count(got, graph.ErrBusy), 1)
}

func renew(e *env) {
	l := e.begin("t")
	e.clock.pass(ttl - 1)
	e.must(e.store.Renew(e.Context(), l))
	e.equal(e.load("t", -1).Until, epoch.Add(ttl-1+ttl))
	e.clock.pass(ttl - 1)
	e.busy("t", self(e.T))
	e.clock.pass(1)
	e.acquire("t", self(e.T))
}

func renewLate(e *env) {
	l := e.begin("t")
	e.clock.pass(time.Hour)
	e.must(e.store.Renew(e.Context(), l))
	e.busy("t", self(e.T))
	e.commit(l, "t", step(1))
}

func releases(e *env) {
	for _, s := range []graph.Status{graph.StatusRunning, graph.StatusPaused, graph.StatusDone, graph.StatusFailed, graph.StatusCancelled} {
		l := e.begin(string(s))
		e.clock.pass(time.Second)
		e.release(l, s)
		e.equal(e.load(string(s), -1).ThreadInfo,
			graph.ThreadInfo{Thread: string(s), Run: l.Run, Status: s, Updated: e.clock.now()})
	}
}

func acquireRuns(e *env) {
	for _, s := range []graph.Status{graph.StatusRunning, graph.StatusPaused, graph.StatusDone, graph.StatusFailed, graph.StatusCancelled} {
		e.release(e.begin(string(s)), s)
		me := self(e.T)
		l := e.acquire(string(s), me)
		e.equal(l.Was, s)
		e.equal(e.load(string(s), -1).ThreadInfo, graph.ThreadInfo{
			Thread: string(s), Run: l.Run, Status: graph.StatusRunning, Updated: epoch, Owner: me, Until: epoch.Add(ttl),
		})
	}
}
