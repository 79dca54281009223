/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 1c8822c16b55395bca8c9e713a8e1ec0d8ea34bf */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_MemberSet___construct, 0, 0, 2)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, shards, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_MemberSet_add, 0, 0, IS_VOID, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, members, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_MemberSet_remove arginfo_class_McPatterns_MemberSet_add

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_MemberSet_has, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, member, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_MemberSet_members, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_MemberSet_count, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_MemberSet_clear, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


static ZEND_METHOD(McPatterns_MemberSet, __construct);
static ZEND_METHOD(McPatterns_MemberSet, add);
static ZEND_METHOD(McPatterns_MemberSet, remove);
static ZEND_METHOD(McPatterns_MemberSet, has);
static ZEND_METHOD(McPatterns_MemberSet, members);
static ZEND_METHOD(McPatterns_MemberSet, count);
static ZEND_METHOD(McPatterns_MemberSet, clear);


static const zend_function_entry class_McPatterns_MemberSet_methods[] = {
	ZEND_ME(McPatterns_MemberSet, __construct, arginfo_class_McPatterns_MemberSet___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_MemberSet, add, arginfo_class_McPatterns_MemberSet_add, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_MemberSet, remove, arginfo_class_McPatterns_MemberSet_remove, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_MemberSet, has, arginfo_class_McPatterns_MemberSet_has, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_MemberSet, members, arginfo_class_McPatterns_MemberSet_members, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_MemberSet, count, arginfo_class_McPatterns_MemberSet_count, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_MemberSet, clear, arginfo_class_McPatterns_MemberSet_clear, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_MemberSet(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "MemberSet", class_McPatterns_MemberSet_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
