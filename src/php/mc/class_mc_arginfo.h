/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: fc2cc7a2e9596eef2767154c034dd01c4262ba83 */

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_MC_use, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_INFO(0, cache, McPatterns\\Cache, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_MC_get, 0, 0, IS_MIXED, 0)
	ZEND_ARG_INFO_WITH_DEFAULT_VALUE(0, key, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_MC_set, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_INFO_WITH_DEFAULT_VALUE(0, key, "null")
	ZEND_ARG_INFO_WITH_DEFAULT_VALUE(0, data, "null")
	ZEND_ARG_INFO_WITH_DEFAULT_VALUE(0, flag, "false")
	ZEND_ARG_INFO_WITH_DEFAULT_VALUE(0, timeout, "3600")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_MC_delete, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_INFO_WITH_DEFAULT_VALUE(0, key, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_class_McPatterns_MC_increment, 0, 0, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_INFO_WITH_DEFAULT_VALUE(0, key, "null")
	ZEND_ARG_INFO_WITH_DEFAULT_VALUE(0, increment, "1")
ZEND_END_ARG_INFO()


static ZEND_METHOD(McPatterns_MC, use);
static ZEND_METHOD(McPatterns_MC, get);
static ZEND_METHOD(McPatterns_MC, set);
static ZEND_METHOD(McPatterns_MC, delete);
static ZEND_METHOD(McPatterns_MC, increment);


static const zend_function_entry class_McPatterns_MC_methods[] = {
	ZEND_ME(McPatterns_MC, use, arginfo_class_McPatterns_MC_use, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_MC, get, arginfo_class_McPatterns_MC_get, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_MC, set, arginfo_class_McPatterns_MC_set, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_MC, delete, arginfo_class_McPatterns_MC_delete, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_MC, increment, arginfo_class_McPatterns_MC_increment, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_MC(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "MC", class_McPatterns_MC_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
