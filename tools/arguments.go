package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// decode reads the arguments of a call. It takes what can mean one thing only, as "195"
// for a whole number, and guesses nothing. All that is wrong is named at once and in
// terms of the parameters, as each bad call costs a model a turn.
func decode(args json.RawMessage, into any, schema *jsonschema.Schema) error {
	said, err := object(args)
	if err != nil {
		return fmt.Errorf("the arguments must be one JSON object: %w; the parameters are %s", err, parameters(schema))
	}
	given, faults := settle(said, schema)
	for _, p := range schema.PropertyOrder {
		if fault := mend(given, p, schema); fault != "" {
			faults = append(faults, fault)
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("%s; the parameters are %s", strings.Join(faults, "; "), parameters(schema))
	}
	plain, err := json.Marshal(given)
	if err != nil {
		return fmt.Errorf("read the arguments: %w", err)
	}
	if err := json.Unmarshal(plain, into); err != nil {
		return fmt.Errorf("read the arguments: %w", err)
	}
	return nil
}

// object takes the arguments apart. Nothing at all is an object without members.
func object(args json.RawMessage) (map[string]json.RawMessage, error) {
	if len(bytes.TrimSpace(args)) == 0 {
		return nil, nil
	}
	var said map[string]json.RawMessage
	d := json.NewDecoder(bytes.NewReader(args))
	err := d.Decode(&said)
	if other, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return nil, fmt.Errorf("it is of the type %s", other.Value)
	}
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the object")
	}
	return said, nil
}

// settle gives each value to the parameter that is meant by its name.
func settle(said map[string]json.RawMessage, schema *jsonschema.Schema) (map[string]json.RawMessage, []string) {
	given := map[string]json.RawMessage{}
	var unknown, faults []string
	for _, name := range slices.Sorted(maps.Keys(said)) {
		p := parameter(name, schema)
		_, twice := given[p]
		switch {
		case p == "":
			unknown = append(unknown, strconv.Quote(short(name)))
		case twice:
			faults = append(faults, p+" is given twice")
		default:
			given[p] = said[name]
		}
	}
	const most = 5
	switch n := len(unknown); {
	case n == 1:
		faults = append(faults, "there is no argument "+unknown[0])
	case n > most:
		faults = append(faults, fmt.Sprintf("there are no arguments %s and %d more", strings.Join(unknown[:most], ", "), n-most))
	case n > 1:
		faults = append(faults, "there are no arguments "+strings.Join(unknown, ", "))
	}
	return given, faults
}

// parameter is the one of a name, whose spelling may be startLine or Start-Line; "" is none.
func parameter(name string, schema *jsonschema.Schema) string {
	if schema.Properties[name] != nil {
		return name
	}
	plain := func(s string) string { return strings.ToLower(strings.NewReplacer("_", "", "-", "").Replace(s)) }
	wanted := plain(name)
	for _, p := range schema.PropertyOrder {
		if plain(p) == wanted {
			return p
		}
	}
	return ""
}

// parameters names them, those that may be left out in brackets.
func parameters(schema *jsonschema.Schema) string {
	var names []string
	for _, name := range schema.PropertyOrder {
		if !slices.Contains(schema.Required, name) {
			name = "[" + name + "]"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}
