/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 70fa436b3c37dee1de6dc336e42e8e2d5a954f78 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Lock___construct, 0, 0, 2)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE, "10")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, owner, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, autoRelease, _IS_BOOL, 0, "true")
	ZEND_ARG_TYPE_MASK(0, skew, MAY_BE_LONG|MAY_BE_DOUBLE, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Lock_acquire, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_MASK(0, wait, MAY_BE_LONG|MAY_BE_DOUBLE, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Lock_run, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, work, IS_CALLABLE, 0)
	ZEND_ARG_TYPE_MASK(0, wait, MAY_BE_LONG|MAY_BE_DOUBLE, "0")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Lock_refresh, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Lock_release, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Lock_forceRelease arginfo_class_McPatterns_Lock_release

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Lock_detach, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Lock_isHeld, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, verify, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Lock_isLocked arginfo_class_McPatterns_Lock_release

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Lock_remaining, 0, 0, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Lock_token, 0, 0, IS_LONG, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Lock_owner arginfo_class_McPatterns_Lock_detach

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Lock_currentOwner, 0, 0, IS_STRING, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_McPatterns_Lock_restore, 0, 3, McPatterns\\Lock, 0)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, owner, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE, "10")
	ZEND_ARG_TYPE_MASK(0, skew, MAY_BE_LONG|MAY_BE_DOUBLE, "1")
ZEND_END_ARG_INFO()


ZEND_METHOD(McPatterns_Lock, __construct);
ZEND_METHOD(McPatterns_Lock, acquire);
ZEND_METHOD(McPatterns_Lock, run);
ZEND_METHOD(McPatterns_Lock, refresh);
ZEND_METHOD(McPatterns_Lock, release);
ZEND_METHOD(McPatterns_Lock, forceRelease);
ZEND_METHOD(McPatterns_Lock, detach);
ZEND_METHOD(McPatterns_Lock, isHeld);
ZEND_METHOD(McPatterns_Lock, isLocked);
ZEND_METHOD(McPatterns_Lock, remaining);
ZEND_METHOD(McPatterns_Lock, token);
ZEND_METHOD(McPatterns_Lock, owner);
ZEND_METHOD(McPatterns_Lock, currentOwner);
ZEND_METHOD(McPatterns_Lock, restore);


static const zend_function_entry class_McPatterns_Lock_methods[] = {
	ZEND_ME(McPatterns_Lock, __construct, arginfo_class_McPatterns_Lock___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, acquire, arginfo_class_McPatterns_Lock_acquire, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, run, arginfo_class_McPatterns_Lock_run, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, refresh, arginfo_class_McPatterns_Lock_refresh, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, release, arginfo_class_McPatterns_Lock_release, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, forceRelease, arginfo_class_McPatterns_Lock_forceRelease, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, detach, arginfo_class_McPatterns_Lock_detach, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, isHeld, arginfo_class_McPatterns_Lock_isHeld, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, isLocked, arginfo_class_McPatterns_Lock_isLocked, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, remaining, arginfo_class_McPatterns_Lock_remaining, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, token, arginfo_class_McPatterns_Lock_token, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, owner, arginfo_class_McPatterns_Lock_owner, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, currentOwner, arginfo_class_McPatterns_Lock_currentOwner, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Lock, restore, arginfo_class_McPatterns_Lock_restore, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Lock(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Lock", class_McPatterns_Lock_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
