/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 3c6f128ad8a1f7684aae9963bb2bf94068947fa7 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Semaphore___construct, 0, 0, 3)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, permits, IS_LONG, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE, "10")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, owner, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, autoRelease, _IS_BOOL, 0, "true")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Semaphore_acquire, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_MASK(0, wait, MAY_BE_LONG|MAY_BE_DOUBLE, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Semaphore_run, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, work, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_MASK(0, wait, MAY_BE_LONG|MAY_BE_DOUBLE, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Semaphore_refresh, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Semaphore_release, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Semaphore_isHeld, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, verify, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Semaphore_available, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Semaphore_token arginfo_class_McPatterns_Semaphore_available

#define arginfo_class_McPatterns_Semaphore_permit arginfo_class_McPatterns_Semaphore_available


ZEND_METHOD(McPatterns_Semaphore, __construct);
ZEND_METHOD(McPatterns_Lock, acquire);
ZEND_METHOD(McPatterns_Lock, run);
ZEND_METHOD(McPatterns_Lock, refresh);
ZEND_METHOD(McPatterns_Lock, release);
ZEND_METHOD(McPatterns_Lock, isHeld);
ZEND_METHOD(McPatterns_Semaphore, available);
ZEND_METHOD(McPatterns_Lock, token);
ZEND_METHOD(McPatterns_Semaphore, permit);


static const zend_function_entry class_McPatterns_Semaphore_methods[] = {
	ZEND_ME(McPatterns_Semaphore, __construct, arginfo_class_McPatterns_Semaphore___construct, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(McPatterns_Lock, acquire, acquire, arginfo_class_McPatterns_Semaphore_acquire, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(McPatterns_Lock, run, run, arginfo_class_McPatterns_Semaphore_run, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(McPatterns_Lock, refresh, refresh, arginfo_class_McPatterns_Semaphore_refresh, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(McPatterns_Lock, release, release, arginfo_class_McPatterns_Semaphore_release, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(McPatterns_Lock, isHeld, isHeld, arginfo_class_McPatterns_Semaphore_isHeld, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Semaphore, available, arginfo_class_McPatterns_Semaphore_available, ZEND_ACC_PUBLIC)
	ZEND_MALIAS(McPatterns_Lock, token, token, arginfo_class_McPatterns_Semaphore_token, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Semaphore, permit, arginfo_class_McPatterns_Semaphore_permit, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Semaphore(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Semaphore", class_McPatterns_Semaphore_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
