/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 65e16f8552a9a669d31f78d6ccb96e408cd06c32 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_RateLimiter___construct, 0, 0, 4)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, limit, IS_LONG, 0)
	ZEND_ARG_TYPE_MASK(0, period, MAY_BE_LONG|MAY_BE_DOUBLE, NULL)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, algorithm, McPatterns\\Limiting, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, slots, IS_LONG, 0, "10")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, burst, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, whenDown, _IS_BOOL, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_RateLimiter_attempt, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, who, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cost, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_RateLimiter_remaining, 0, 0, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, who, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_RateLimiter_availableIn, 0, 0, IS_DOUBLE, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, who, IS_STRING, 0, "\'\'")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, cost, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_RateLimiter_reset, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, who, IS_STRING, 0, "\'\'")
ZEND_END_ARG_INFO()


static ZEND_METHOD(McPatterns_RateLimiter, __construct);
static ZEND_METHOD(McPatterns_RateLimiter, attempt);
static ZEND_METHOD(McPatterns_RateLimiter, remaining);
static ZEND_METHOD(McPatterns_RateLimiter, availableIn);
static ZEND_METHOD(McPatterns_RateLimiter, reset);


static const zend_function_entry class_McPatterns_RateLimiter_methods[] = {
	ZEND_ME(McPatterns_RateLimiter, __construct, arginfo_class_McPatterns_RateLimiter___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_RateLimiter, attempt, arginfo_class_McPatterns_RateLimiter_attempt, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_RateLimiter, remaining, arginfo_class_McPatterns_RateLimiter_remaining, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_RateLimiter, availableIn, arginfo_class_McPatterns_RateLimiter_availableIn, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_RateLimiter, reset, arginfo_class_McPatterns_RateLimiter_reset, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_RateLimiter(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "RateLimiter", class_McPatterns_RateLimiter_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
