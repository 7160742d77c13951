package code

// Expressions and local variables of Java.

func (j java) bindTyped(at, typ int32) {
	if at == 0 || len(j.bound) == 0 || j.kind(at) != "identifier" {
		return
	}
	j.bound[len(j.bound)-1][j.str(at)] = true
	if text := j.expr(typ); text != "var" {
		j.hint(j.scope, j.str(at), text, hintType, 0)
	}
}

func (j java) locals(n int32) {
	typ := j.child(n, "type")
	j.walk(typ)
	each := func(d int32) {
		at, value := j.child(d, "name"), j.child(d, "value")
		j.walk(value)
		j.bindTyped(at, typ)
		if string(j.text(typ)) == "var" {
			j.hint(j.scope, j.str(at), j.expr(value), hintExpr, 0)
		}
	}
	if j.kind(n) == "resource" {
		each(n)
		return
	}
	for d := range j.children(n) {
		if j.kind(d) == "variable_declarator" {
			each(d)
		}
	}
}

func (j java) parameter(n int32) {
	at, typ := j.child(n, "name"), j.child(n, "type")
	if d := j.find(n, "variable_declarator"); d != 0 { // a spread parameter
		at, typ = j.child(d, "name"), j.find(n, "type_identifier", "generic_type", "scoped_type_identifier", "array_type")
	}
	if c := j.find(n, "catch_type"); c != 0 {
		typ = c
	}
	j.bindTyped(at, typ)
	for k := range j.children(n) {
		if k != at && j.kind(k) != "variable_declarator" {
			j.walk(k)
		}
	}
}

func (j java) loop(n int32) {
	defer j.block()()
	at, typ, value := j.child(n, "name"), j.child(n, "type"), j.child(n, "value")
	j.walk(typ)
	j.walk(value)
	j.bindTyped(at, typ)
	if string(j.text(typ)) == "var" {
		j.hint(j.scope, j.str(at), j.expr(value), hintElem, 0)
	}
	j.walk(j.child(n, "body"))
}

func (j java) lambda(n int32) {
	defer j.block()()
	params := j.child(n, "parameters")
	j.bindTyped(params, 0)
	if j.kind(params) == "inferred_parameters" {
		for p := range j.children(params) {
			j.bindTyped(p, 0)
		}
	} else if j.kind(params) == "formal_parameters" {
		j.each(params)
	}
	j.walk(j.child(n, "body"))
}

func (j java) call(n int32) {
	object, at := j.child(n, "object"), j.child(n, "name")
	recv := j.expr(object)
	if object == 0 {
		if s := j.find(n, "super"); s != 0 {
			recv = "super"
		}
	}
	j.mention(at, recv, true)
	j.walk(object)
	j.walk(j.child(n, "type_arguments"))
	j.walk(j.child(n, "arguments"))
}

func (j java) created(n int32) {
	typ := j.child(n, "type")
	for t := typ; t != 0; t = j.named(t) {
		if j.kind(t) == "type_identifier" {
			j.mention(t, "", true)
			break
		}
		if j.kind(t) == "scoped_type_identifier" {
			j.scopedCall(t, true)
			break
		}
	}
	if args := j.find(typ, "type_arguments"); typ != 0 && args != 0 {
		j.walk(args)
	}
	j.walk(j.child(n, "arguments"))
	if body := j.find(n, "class_body"); body != 0 {
		j.each(body)
	}
}

func (j java) scoped(n int32) { j.scopedCall(n, false) }

func (j java) scopedCall(n int32, call bool) {
	lastPart, first := int32(0), j.named(n)
	for k := range j.children(n) {
		lastPart = k
	}
	if lastPart != 0 && lastPart != first {
		j.mention(lastPart, j.expr(first), call)
		j.walk(first)
	}
}

func (j java) reference(n int32) {
	first := j.named(n)
	for k := range j.children(n) {
		if k != first && j.kind(k) == "identifier" {
			j.mention(k, j.expr(first), false)
		}
	}
	j.walk(first)
}

func (j java) annotation(n int32) {
	if at := j.child(n, "name"); j.kind(at) == "identifier" {
		j.mention(at, "", true)
	}
	j.walk(j.child(n, "arguments"))
}
