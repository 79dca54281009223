/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 3e3c22fa3d03379552ff308bafea0deacf95dc38 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Table___construct, 0, 0, 2)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, shards, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Table_put, 0, 2, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, row, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Table_get, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, default, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Table_has, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Table_update, 0, 2, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, change, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Table_delete, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Table_ids, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Table_rows, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ids, IS_ARRAY, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Table_count, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Table_clear, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


static ZEND_METHOD(McPatterns_Table, __construct);
static ZEND_METHOD(McPatterns_Table, put);
static ZEND_METHOD(McPatterns_Table, get);
static ZEND_METHOD(McPatterns_Table, has);
static ZEND_METHOD(McPatterns_Table, update);
static ZEND_METHOD(McPatterns_Table, delete);
static ZEND_METHOD(McPatterns_Table, ids);
static ZEND_METHOD(McPatterns_Table, rows);
static ZEND_METHOD(McPatterns_Table, count);
static ZEND_METHOD(McPatterns_Table, clear);


static const zend_function_entry class_McPatterns_Table_methods[] = {
	ZEND_ME(McPatterns_Table, __construct, arginfo_class_McPatterns_Table___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Table, put, arginfo_class_McPatterns_Table_put, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Table, get, arginfo_class_McPatterns_Table_get, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Table, has, arginfo_class_McPatterns_Table_has, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Table, update, arginfo_class_McPatterns_Table_update, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Table, delete, arginfo_class_McPatterns_Table_delete, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Table, ids, arginfo_class_McPatterns_Table_ids, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Table, rows, arginfo_class_McPatterns_Table_rows, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Table, count, arginfo_class_McPatterns_Table_count, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Table, clear, arginfo_class_McPatterns_Table_clear, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Table(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Table", class_McPatterns_Table_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
