package github

import (
	"errors"
	"fmt"
	"slices"

	gh "github.com/google/go-github/v62/github"
)

const perPage = 100

// list reads page after page until the last one, or until there are max values;
// cut says that there are more. With an error come the pages before it.
//
// An answer from the cache may be older than the pages behind it: its ETag covers
// the body, not the link to the next page. So a full page from the cache is never
// taken for the last one.
func list[T any](max int, get func(gh.ListOptions) ([]*T, *gh.Response, error)) (all []*T, cut bool, err error) {
	for page := 1; ; page++ {
		vs, resp, err := get(gh.ListOptions{Page: page, PerPage: perPage})
		if err != nil {
			return all, false, err
		}
		all = append(all, present(vs)...)
		switch more := resp.NextPage != 0 || resp.Header.Get(fromCache) != "" && len(vs) >= perPage; {
		case len(all) > max:
			return all[:max], true, nil
		case !more:
			return all, false, nil
		case page*perPage >= max: // also the end of empty pages without end
			return all, true, nil
		}
	}
}

// present leaves out what is null. GitHub documents none in a list, but a file or a
// proxy may hold some.
func present[T any](list []*T) []*T {
	return slices.DeleteFunc(list, func(v *T) bool { return v == nil })
}

// soften turns the failure of a part into a sentence for the report where the rest
// is still of use: the part is too large, or the server cannot give it. A limit, a
// missing permission and the end of ctx stay errors.
func (c *call) soften(part string, err error, incomplete *[]string) error {
	if err == nil {
		return nil
	}
	err = c.explain(part, err)
	if !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrGone) {
		return err
	}
	*incomplete = append(*incomplete, fmt.Sprintf("Not all could be read: %v.", err))
	return nil
}
