package code

// The languages that are read by table. Kinds of nodes are those of the grammars.

var cDialect = dialect{
	defs: map[string]Kind{
		"function_definition": Function, "struct_specifier": Struct, "union_specifier": Struct, "enum_specifier": Enum,
		"class_specifier": Class, "enumerator": Const, "type_definition": Type, "alias_declaration": Type,
		"preproc_def": Const, "preproc_function_def": Macro, "field_declaration": Field, "init_declarator": Var,
		"concept_definition": Type,
	},
	scopes:  map[string]string{"namespace_definition": "name"},
	calls:   words("call_expression new_expression"),
	members: words("field_expression"),
	imports: words("preproc_include"),
	names:   words("identifier field_identifier type_identifier namespace_identifier"),
	types:   words("type_identifier"),
	bases:   words("base_class_clause"),
	entry:   "main",
}

var csharpDialect = dialect{
	defs: map[string]Kind{
		"class_declaration": Class, "struct_declaration": Struct, "interface_declaration": Interface, "enum_declaration": Enum,
		"record_declaration": Class, "record_struct_declaration": Struct, "delegate_declaration": Type,
		"method_declaration": Method, "constructor_declaration": Method, "local_function_statement": Function,
		"property_declaration": Field, "field_declaration": Field, "event_field_declaration": Field, "enum_member_declaration": Const,
	},
	scopes:  map[string]string{"namespace_declaration": "name", "file_scoped_namespace_declaration": "name"},
	calls:   words("invocation_expression object_creation_expression attribute"),
	members: words("member_access_expression"),
	imports: words("using_directive"),
	names:   words("identifier"),
	bases:   words("base_list"),
	entry:   "Main",
}

var rubyDialect = dialect{
	defs:    map[string]Kind{"class": Class, "module": Module, "method": Function, "singleton_method": Function, "assignment": Const},
	calls:   words("call"),
	members: words("scope_resolution"),
	names:   words("identifier constant operator setter"),
	types:   words("constant"),
	bases:   words("superclass"),
}

var phpDialect = dialect{
	defs: map[string]Kind{
		"class_declaration": Class, "interface_declaration": Interface, "trait_declaration": Interface, "enum_declaration": Enum,
		"method_declaration": Method, "function_definition": Function, "const_element": Const, "property_element": Field, "enum_case": Const,
	},
	scopes:  map[string]string{"namespace_definition": "name"},
	calls:   words("function_call_expression member_call_expression nullsafe_member_call_expression scoped_call_expression object_creation_expression"),
	members: words("member_access_expression class_constant_access_expression scoped_property_access_expression"),
	imports: words("namespace_use_clause"),
	names:   words("name"),
	types:   words("named_type"),
	bases:   words("base_clause class_interface_clause"),
}

var kotlinDialect = dialect{
	defs: map[string]Kind{
		"class_declaration": Class, "object_declaration": Class, "function_declaration": Function, "property_declaration": Var,
		"type_alias": Type, "enum_entry": Const,
	},
	calls:   words("call_expression constructor_invocation"),
	members: words("navigation_expression"),
	imports: words("import_header"),
	names:   words("simple_identifier type_identifier"),
	types:   words("type_identifier"),
	bases:   words("delegation_specifier"),
	entry:   "main",
}

var scalaDialect = dialect{
	defs: map[string]Kind{
		"class_definition": Class, "object_definition": Class, "trait_definition": Interface, "enum_definition": Enum,
		"function_definition": Function, "function_declaration": Function, "val_definition": Var, "var_definition": Var, "type_definition": Type,
	},
	calls:   words("call_expression instance_expression"),
	members: words("field_expression"),
	imports: words("import_declaration"),
	names:   words("identifier type_identifier"),
	types:   words("type_identifier"),
	bases:   words("extends_clause"),
	entry:   "main",
}

var swiftDialect = dialect{
	defs: map[string]Kind{
		"class_declaration": Class, "protocol_declaration": Interface, "function_declaration": Function, "protocol_function_declaration": Function,
		"property_declaration": Var, "typealias_declaration": Type, "enum_entry": Const,
	},
	calls:   words("call_expression"),
	members: words("navigation_expression"),
	imports: words("import_declaration"),
	names:   words("simple_identifier type_identifier"),
	types:   words("type_identifier"),
	bases:   words("inheritance_specifier"),
}

var luaDialect = dialect{
	defs:  map[string]Kind{"function_statement": Function},
	calls: words("function_call"),
	names: words("identifier"),
}

var shellDialect = dialect{
	defs:  map[string]Kind{"function_definition": Function},
	calls: words("command"),
	names: words("word"),
}
