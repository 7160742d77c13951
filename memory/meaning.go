package memory

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/repomind/repomind/internal/vector"
)

const (
	// maxEncoded is how many lessons get their vectors in one recall. A store that was
	// exchanged is filled again by several.
	maxEncoded = 64
	// maxMeaning is how many bytes of a lesson an encoder of 256 tokens can see.
	maxMeaning = 1500
)

// meaning is the cosine of a question with each lesson, by the lessons' IDs.
type meaning struct {
	kind    Kind
	kept    vector.Collection
	encode  func(context.Context, []string) ([][]float32, error)
	asked   []float32
	floor   float64
	cosines map[string]float64
	sums    map[string]string // of the texts that the vectors were made of
}

// ask encodes a question and looks for what is near it. It is called before the lessons
// are read: a vector whose lesson is not among them is then one of a lesson that is gone.
func (s *Store) ask(ctx context.Context, q Query) (*meaning, error) {
	floor, err := s.floor(ctx)
	if err != nil {
		return nil, err
	}
	asked, err := s.encode(ctx, []string{subject(q.Title, q.Body)})
	if err != nil {
		return nil, fmt.Errorf("encode the question: %w", err)
	}
	kept, err := s.cfg.Vectors.Open(ctx, s.key(q.Repo), len(asked[0]))
	if err != nil {
		return nil, fmt.Errorf("open the vectors of %s: %w", q.Repo, err)
	}
	m := &meaning{kind: q.Kind, kept: kept, encode: s.encode, asked: asked[0], floor: floor, cosines: map[string]float64{}, sums: map[string]string{}}
	// All of them: there are no more than MaxLessons, which is no more than MaxK.
	found, err := kept.Query(ctx, vector.Query{Vector: asked[0], K: vector.MaxK, Where: vector.Meta{"kind": vector.Text(string(q.Kind))}})
	if err != nil {
		return nil, fmt.Errorf("search among vectors: %w", errors.Join(err, kept.Close()))
	}
	for _, f := range found {
		m.cosines[f.ID] = f.Score
		m.sums[f.ID], _ = f.Meta["sum"].Text()
	}
	return m, nil
}

// encode gives unit vectors of one length.
func (s *Store) encode(ctx context.Context, texts []string) ([][]float32, error) {
	all, err := s.cfg.Encoder.Encode(ctx, texts)
	if err != nil {
		return nil, err
	}
	if len(all) != len(texts) {
		return nil, fmt.Errorf("%s gave %d vectors for %d texts", s.cfg.Model, len(all), len(texts))
	}
	for i, v := range all {
		if all[i], err = vector.Unit(v, len(all[0])); err != nil {
			return nil, fmt.Errorf("%s gave no vector: %w", s.cfg.Model, err)
		}
	}
	return all, nil
}

// key names the collection of a repository, which is this file's alone.
func (s *Store) key(repo string) vector.Key {
	k := vector.Key{Repo: s.prefix() + repo, Model: s.cfg.Model}
	if k.Check() != nil { // a directory may be long
		sum := sha256.Sum256([]byte(repo))
		k.Repo = s.prefix() + hex.EncodeToString(sum[:])
	}
	return k
}

func (s *Store) prefix() string { return "memory " + s.name + " " }

// complete makes the vectors that are missing, and removes those of lessons that are gone.
// It gives the number of lessons that are left without.
func (m *meaning) complete(ctx context.Context, lessons []Lesson) (left int, err error) {
	var missing []Lesson
	gone := map[string]bool{}
	for id := range m.cosines {
		gone[id] = true
	}
	for _, l := range lessons {
		delete(gone, itemID(l))
		if m.sums[itemID(l)] != sum(l) {
			delete(m.cosines, itemID(l))
			missing = append(missing, l)
		}
	}
	now := missing[:min(len(missing), maxEncoded)]
	return len(missing) - len(now), errors.Join(m.add(ctx, now), m.remove(ctx, gone))
}

func (m *meaning) add(ctx context.Context, lessons []Lesson) error {
	if len(lessons) == 0 {
		return nil
	}
	texts := make([]string, len(lessons))
	for i, l := range lessons {
		texts[i] = meant(l)
	}
	vectors, err := m.encode(ctx, texts)
	if err != nil {
		return fmt.Errorf("encode %d lessons: %w", len(lessons), err)
	}
	items := make([]vector.Item, len(lessons))
	for i, l := range lessons {
		items[i] = vector.Item{ID: itemID(l), Vector: vectors[i], Meta: vector.Meta{"kind": vector.Text(string(m.kind)), "sum": vector.Text(sum(l))}}
		m.cosines[itemID(l)] = dot(m.asked, vectors[i])
	}
	if err := m.kept.Upsert(ctx, items); err != nil {
		return fmt.Errorf("keep the vectors of %d lessons: %w", len(lessons), err)
	}
	return nil
}

func (m *meaning) remove(ctx context.Context, gone map[string]bool) error {
	if len(gone) == 0 {
		return nil
	}
	ids := make([]string, 0, len(gone))
	for id := range gone {
		ids = append(ids, id)
		delete(m.cosines, id)
	}
	if err := m.kept.Delete(ctx, ids...); err != nil {
		return fmt.Errorf("remove the vectors of %d lessons that are gone: %w", len(ids), err)
	}
	return nil
}

func (m *meaning) close() error {
	if m == nil {
		return nil
	}
	return m.kept.Close()
}

// near is how near a lesson is in meaning: 0 for texts that are not alike, 1 for the same.
func (m *meaning) near(l Lesson) (share float64, known bool) {
	if m == nil {
		return 0, false
	}
	cosine, known := m.cosines[itemID(l)]
	return min(max((cosine-m.floor)/(1-m.floor), 0), 1), known
}

func itemID(l Lesson) string { return strconv.FormatInt(l.ID, 10) }

// meant is what stands for a lesson.
func meant(l Lesson) string { return head(l.Title+"\n"+l.Text, maxMeaning) }

func sum(l Lesson) string {
	s := sha256.Sum256([]byte(meant(l)))
	return hex.EncodeToString(s[:8])
}

func dot(a, b []float32) (sum float64) {
	for i, x := range a[:min(len(a), len(b))] {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
