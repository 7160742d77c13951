package memory

import (
	"context"
	"fmt"
)

// unlike are texts that have nothing to do with one another but their form.
var unlike = []string{
	"Reading a compressed archive stops at the second member",
	"The login form forgets which language was chosen",
	"Tooltips of a bar chart overlap when the window is narrow",
	"Nested generic types are inferred as unknown",
	"The scheduler starts a job twice after daylight saving time ends",
	"Integer overflow in the checksum of large packets",
}

// floor is the mean cosine of texts that are not alike, which lies near 0 with some models
// and above 0.7 with others. The encoder is asked once for all recalls of a Store.
func (s *Store) floor(ctx context.Context) (float64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ground != nil {
		return *s.ground, nil
	}
	all, err := s.encode(ctx, unlike)
	if err != nil {
		return 0, fmt.Errorf("try the encoder: %w", err)
	}
	total, pairs := 0.0, 0.0
	for i, a := range all {
		for _, b := range all[:i] {
			total, pairs = total+dot(a, b), pairs+1
		}
	}
	mean := min(max(total/pairs, 0), 0.95)
	s.ground = &mean
	return mean, nil
}
