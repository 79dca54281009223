/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 1c45f44a2179333711b842efde5002c03f1f4a38 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Entry___construct, 0, 0, 0)
ZEND_END_ARG_INFO()


static ZEND_METHOD(McPatterns_Entry, __construct);


static const zend_function_entry class_McPatterns_Entry_methods[] = {
	ZEND_ME(McPatterns_Entry, __construct, arginfo_class_McPatterns_Entry___construct, ZEND_ACC_PRIVATE)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Entry(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Entry", class_McPatterns_Entry_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	zend_string *property_status_class_McPatterns_Status = zend_string_init("McPatterns\\Status", sizeof("McPatterns\\Status")-1, 1);
	zval property_status_default_value;
	ZVAL_UNDEF(&property_status_default_value);
	zend_string *property_status_name = zend_string_init("status", sizeof("status") - 1, 1);
	zend_declare_typed_property(class_entry, property_status_name, &property_status_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_CLASS(property_status_class_McPatterns_Status, 0, 0));
	zend_string_release(property_status_name);

	zval property_value_default_value;
	ZVAL_UNDEF(&property_value_default_value);
	zend_string *property_value_name = zend_string_init("value", sizeof("value") - 1, 1);
	zend_declare_typed_property(class_entry, property_value_name, &property_value_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_ANY));
	zend_string_release(property_value_name);

	zval property_age_default_value;
	ZVAL_UNDEF(&property_age_default_value);
	zend_string *property_age_name = zend_string_init("age", sizeof("age") - 1, 1);
	zend_declare_typed_property(class_entry, property_age_name, &property_age_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_age_name);

	zval property_expiresIn_default_value;
	ZVAL_UNDEF(&property_expiresIn_default_value);
	zend_string *property_expiresIn_name = zend_string_init("expiresIn", sizeof("expiresIn") - 1, 1);
	zend_declare_typed_property(class_entry, property_expiresIn_name, &property_expiresIn_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_expiresIn_name);

	zval property_computeTime_default_value;
	ZVAL_UNDEF(&property_computeTime_default_value);
	zend_string *property_computeTime_name = zend_string_init("computeTime", sizeof("computeTime") - 1, 1);
	zend_declare_typed_property(class_entry, property_computeTime_name, &property_computeTime_default_value, ZEND_ACC_PUBLIC|ZEND_ACC_READONLY, NULL, (zend_type) ZEND_TYPE_INIT_MASK(MAY_BE_DOUBLE|MAY_BE_NULL));
	zend_string_release(property_computeTime_name);

	return class_entry;
}
