/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: c8cb6677deb484d6bd8320bfb91f03cb9281fc56 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Audit___construct, 0, 0, 1)
	ZEND_ARG_OBJ_INFO(0, cache, McPatterns\\Cache, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, rate, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, compare, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()


ZEND_METHOD(McPatterns_Audit, __construct);


static const zend_function_entry class_McPatterns_Audit_methods[] = {
	ZEND_ME(McPatterns_Audit, __construct, arginfo_class_McPatterns_Audit___construct, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Audit(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Audit", class_McPatterns_Audit_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
