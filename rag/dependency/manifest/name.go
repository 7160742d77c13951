package manifest

import "strings"

// Canonical is the form in which two spellings of a name are the same for the
// registry: for PyPI by PEP 503, for crates without the difference of - and _.
func (e Ecosystem) Canonical(name string) string {
	switch e {
	case PyPI:
		return pep503(name)
	case Cargo:
		return strings.ReplaceAll(strings.ToLower(name), "_", "-")
	case NPM, Composer:
		return strings.ToLower(name)
	}
	return name
}

// pep503 lowers a name and makes each run of - _ . one dash.
func pep503(name string) string {
	var out strings.Builder
	dash := false
	for _, c := range strings.ToLower(name) {
		if c == '-' || c == '_' || c == '.' {
			dash = true
			continue
		}
		if dash {
			out.WriteByte('-')
			dash = false
		}
		out.WriteRune(c)
	}
	if dash {
		out.WriteByte('-')
	}
	return out.String()
}
