/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 2dbc7e0ca040ab1b85b4d120aa5fd606d9642d92 */




static const zend_function_entry class_McPatterns_Distribution_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_Serializer_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_Compression_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_Refresh_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_Transport_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_Limiting_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_Locking_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_Status_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Distribution(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("McPatterns\\Distribution", IS_UNDEF, class_McPatterns_Distribution_methods);

	zend_enum_add_case_cstr(class_entry, "Modulo", NULL);

	zend_enum_add_case_cstr(class_entry, "Ketama", NULL);

	zend_enum_add_case_cstr(class_entry, "OneAtATime", NULL);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_Serializer(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("McPatterns\\Serializer", IS_UNDEF, class_McPatterns_Serializer_methods);

	zend_enum_add_case_cstr(class_entry, "Php", NULL);

	zend_enum_add_case_cstr(class_entry, "Igbinary", NULL);

	zend_enum_add_case_cstr(class_entry, "Json", NULL);

	zend_enum_add_case_cstr(class_entry, "Msgpack", NULL);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_Compression(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("McPatterns\\Compression", IS_UNDEF, class_McPatterns_Compression_methods);

	zend_enum_add_case_cstr(class_entry, "None", NULL);

	zend_enum_add_case_cstr(class_entry, "Zlib", NULL);

	zend_enum_add_case_cstr(class_entry, "Zstd", NULL);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_Refresh(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("McPatterns\\Refresh", IS_UNDEF, class_McPatterns_Refresh_methods);

	zend_enum_add_case_cstr(class_entry, "Inline", NULL);

	zend_enum_add_case_cstr(class_entry, "AfterResponse", NULL);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_Transport(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("McPatterns\\Transport", IS_UNDEF, class_McPatterns_Transport_methods);

	zend_enum_add_case_cstr(class_entry, "Libmemcached", NULL);

	zend_enum_add_case_cstr(class_entry, "Direct", NULL);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_Limiting(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("McPatterns\\Limiting", IS_UNDEF, class_McPatterns_Limiting_methods);

	zend_enum_add_case_cstr(class_entry, "FixedWindow", NULL);

	zend_enum_add_case_cstr(class_entry, "SlidingWindow", NULL);

	zend_enum_add_case_cstr(class_entry, "TokenBucket", NULL);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_Locking(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("McPatterns\\Locking", IS_UNDEF, class_McPatterns_Locking_methods);

	zend_enum_add_case_cstr(class_entry, "Lock", NULL);

	zend_enum_add_case_cstr(class_entry, "Merge", NULL);

	zend_enum_add_case_cstr(class_entry, "None", NULL);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_Status(void)
{
	zend_class_entry *class_entry = zend_register_internal_enum("McPatterns\\Status", IS_UNDEF, class_McPatterns_Status_methods);

	zend_enum_add_case_cstr(class_entry, "Fresh", NULL);

	zend_enum_add_case_cstr(class_entry, "Stale", NULL);

	zend_enum_add_case_cstr(class_entry, "Elected", NULL);

	zend_enum_add_case_cstr(class_entry, "Busy", NULL);

	zend_enum_add_case_cstr(class_entry, "Miss", NULL);

	return class_entry;
}
