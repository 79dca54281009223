/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: d1ef6190c415828483a27e34479f17d3334d4c30 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Counter___construct, 0, 0, 2)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_MASK(0, initial, MAY_BE_LONG|MAY_BE_CALLABLE, "0")
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE, "0")
	ZEND_ARG_TYPE_MASK(0, wait, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, whenDown, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Counter_increment, 0, 0, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Counter_decrement arginfo_class_McPatterns_Counter_increment

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Counter_value, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Counter_set, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Counter_reset, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Counter_drain, 0, 0, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, store, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Counter_drainMany, 0, 3, IS_LONG, 0)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, names, Traversable, MAY_BE_ARRAY, NULL)
	ZEND_ARG_TYPE_INFO(0, store, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(McPatterns_Counter, __construct);
ZEND_METHOD(McPatterns_Counter, increment);
ZEND_METHOD(McPatterns_Counter, decrement);
ZEND_METHOD(McPatterns_Counter, value);
ZEND_METHOD(McPatterns_Counter, set);
ZEND_METHOD(McPatterns_Counter, reset);
ZEND_METHOD(McPatterns_Counter, drain);
ZEND_METHOD(McPatterns_Counter, drainMany);


static const zend_function_entry class_McPatterns_Counter_methods[] = {
	ZEND_ME(McPatterns_Counter, __construct, arginfo_class_McPatterns_Counter___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Counter, increment, arginfo_class_McPatterns_Counter_increment, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Counter, decrement, arginfo_class_McPatterns_Counter_decrement, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Counter, value, arginfo_class_McPatterns_Counter_value, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Counter, set, arginfo_class_McPatterns_Counter_set, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Counter, reset, arginfo_class_McPatterns_Counter_reset, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Counter, drain, arginfo_class_McPatterns_Counter_drain, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Counter, drainMany, arginfo_class_McPatterns_Counter_drainMany, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Counter(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Counter", class_McPatterns_Counter_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
