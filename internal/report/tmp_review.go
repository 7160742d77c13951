package report

import "io"

// WriteReview writes a review.
func WriteReview(w io.Writer, f Format, r Review, o Options) error { return Encode(w, r) }

// ParseReviewFormat takes the name of a format of reviews.
func ParseReviewFormat(s string) (Format, error) { return Format(s), nil }
