package graphtest

import "github.com/repomind/repomind/graph"

var answerTests = tests{
	{"PutAnswers records who answered what and when, without a lease", putAnswers},
	{"an equal answer leaves the first one as it is", answerTwice},
	{"another answer to the same question is refused, and with it all of the call", answerConflict},
	{"two answers to one question in one call are refused", answerInside},
	{"of many who answer a question differently one succeeds", answerRace},
	{"answers need a thread", answerNothing},
	{"answers of two threads do not meet", answerApart},
}

func putAnswers(e *env) {
	l := e.begin("t", first()...)
	a := answer("id-1", `{"approve":true}`, "alice")
	b := graph.AnswerRow{ID: "id-0", Node: "n", Key: "k", Value: []byte(`[1, 2]`), Who: "bob", At: epoch, Shown: "ff"}
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{a, b})) // while another holds it
	e.must(e.store.PutAnswers(e.Context(), "t", nil))
	e.equal(e.load("t", -1).Answers, []graph.AnswerRow{b, a})

	e.release(l, graph.StatusPaused)
	c := answer("id-2", `null`, "carol")
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{c}))
	e.equal(e.load("t", 0).Answers, []graph.AnswerRow{b, a, c})
}

func answerTwice(e *env) {
	e.begin("t", first()...)
	a := answer("a", `true`, "alice")
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{a}))
	late := answer("a", `true`, "bob")
	late.At = late.At.Add(1)
	b := answer("b", `1`, "bob")
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{late, b}))
	e.equal(e.load("t", -1).Answers, []graph.AnswerRow{a, b})
}

func answerConflict(e *env) {
	e.begin("t", first()...)
	a := answer("a", `true`, "alice")
	e.must(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{a}))
	before := e.dump("t")
	no := answer("a", `false`, "mallory")
	for _, rows := range [][]graph.AnswerRow{
		{no},
		{answer("b", `1`, "bob"), no},
		{no, answer("b", `1`, "bob")},
		{answer("b", `1`, "bob"), a, no, answer("c", `1`, "bob")},
	} {
		err := e.store.PutAnswers(e.Context(), "t", rows)
		e.refused(err, graph.ErrAlreadyAnswered)
		e.equal(e.dump("t"), before)
	}
}

func answerInside(e *env) {
	e.begin("t", first()...)
	rows := []graph.AnswerRow{answer("b", `1`, "bob"), answer("a", `true`, "alice"), answer("a", `false`, "mallory")}
	e.refused(e.store.PutAnswers(e.Context(), "t", rows), graph.ErrAlreadyAnswered)
	e.equal(e.load("t", -1).Answers, []graph.AnswerRow{})
}

func answerRace(e *env) {
	e.begin("t", first()...)
	values := make(chan string, 20)
	for i := range cap(values) {
		values <- string(rune('0'+i/10)) + string(rune('0'+i%10))
	}
	got := race(func() error {
		return e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `"`+<-values+`"`, "someone")})
	})
	e.equal(e.count(got, graph.ErrAlreadyAnswered), 1)
	e.equal(len(e.load("t", -1).Answers), 1)
}

func answerNothing(e *env) {
	e.refused(e.store.PutAnswers(e.Context(), "t", []graph.AnswerRow{answer("a", `1`, "alice")}), graph.ErrNoThread)
}

func answerApart(e *env) {
	for _, thread := range []string{"t", "tt"} {
		e.begin(thread, first()...)
		e.must(e.store.PutAnswers(e.Context(), thread, []graph.AnswerRow{answer("a", `"`+thread+`"`, "alice")}))
	}
	e.equal(e.load("t", -1).Answers, []graph.AnswerRow{answer("a", `"t"`, "alice")})
	e.equal(e.load("tt", -1).Answers, []graph.AnswerRow{answer("a", `"tt"`, "alice")})
}
