/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 36da77cf0e97fbb513fb9f12176bc4266ed25dac */




static const zend_function_entry class_McPatterns_Exception_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_ServerException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_LockTimeoutException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_LockLostException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_StoredValueException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_UnstorableException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_TooLargeException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_NotSerializableException_methods[] = {
	ZEND_FE_END
};


static const zend_function_entry class_McPatterns_RebuildPausedException_methods[] = {
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Exception(zend_class_entry *class_entry_Throwable)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Exception", class_McPatterns_Exception_methods);
	class_entry = zend_register_internal_interface(&ce);
	zend_class_implements(class_entry, 1, class_entry_Throwable);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_ServerException(zend_class_entry *class_entry_RuntimeException, zend_class_entry *class_entry_McPatterns_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "ServerException", class_McPatterns_ServerException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	zend_class_implements(class_entry, 1, class_entry_McPatterns_Exception);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_LockTimeoutException(zend_class_entry *class_entry_RuntimeException, zend_class_entry *class_entry_McPatterns_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "LockTimeoutException", class_McPatterns_LockTimeoutException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	zend_class_implements(class_entry, 1, class_entry_McPatterns_Exception);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_LockLostException(zend_class_entry *class_entry_RuntimeException, zend_class_entry *class_entry_McPatterns_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "LockLostException", class_McPatterns_LockLostException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	zend_class_implements(class_entry, 1, class_entry_McPatterns_Exception);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_StoredValueException(zend_class_entry *class_entry_UnexpectedValueException, zend_class_entry *class_entry_McPatterns_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "StoredValueException", class_McPatterns_StoredValueException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_UnexpectedValueException);
	zend_class_implements(class_entry, 1, class_entry_McPatterns_Exception);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_UnstorableException(zend_class_entry *class_entry_McPatterns_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "UnstorableException", class_McPatterns_UnstorableException_methods);
	class_entry = zend_register_internal_interface(&ce);
	zend_class_implements(class_entry, 1, class_entry_McPatterns_Exception);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_TooLargeException(zend_class_entry *class_entry_McPatterns_StoredValueException, zend_class_entry *class_entry_McPatterns_UnstorableException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "TooLargeException", class_McPatterns_TooLargeException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_McPatterns_StoredValueException);
	zend_class_implements(class_entry, 1, class_entry_McPatterns_UnstorableException);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_NotSerializableException(zend_class_entry *class_entry_TypeError, zend_class_entry *class_entry_McPatterns_UnstorableException)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "NotSerializableException", class_McPatterns_NotSerializableException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_TypeError);
	zend_class_implements(class_entry, 1, class_entry_McPatterns_UnstorableException);

	return class_entry;
}

static zend_class_entry *register_class_McPatterns_RebuildPausedException(zend_class_entry *class_entry_RuntimeException, zend_class_entry *class_entry_McPatterns_Exception)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "RebuildPausedException", class_McPatterns_RebuildPausedException_methods);
	class_entry = zend_register_internal_class_ex(&ce, class_entry_RuntimeException);
	zend_class_implements(class_entry, 1, class_entry_McPatterns_Exception);

	zval property_retryAfter_default_value;
	ZVAL_DOUBLE(&property_retryAfter_default_value, 0);
	zend_string *property_retryAfter_name = zend_string_init("retryAfter", sizeof("retryAfter") - 1, 1);
	zend_declare_typed_property(class_entry, property_retryAfter_name, &property_retryAfter_default_value, ZEND_ACC_PUBLIC, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE));
	zend_string_release(property_retryAfter_name);

	return class_entry;
}
