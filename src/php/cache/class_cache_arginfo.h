/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 9bd33de24f1ee4441bce4f5c970bed226029a264 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Cache___construct, 0, 0, 1)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, prefix, IS_STRING, 0, "\"\"")
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE, "3600")
	ZEND_ARG_OBJ_TYPE_MASK(0, grace, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_MASK(0, lease, MAY_BE_LONG|MAY_BE_DOUBLE, "10")
	ZEND_ARG_TYPE_MASK(0, wait, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, stale, _IS_BOOL, 0, "true")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, staleOnError, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, early, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, jitter, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, copies, IS_LONG, 0, "1")
	ZEND_ARG_TYPE_MASK(0, near, MAY_BE_LONG|MAY_BE_DOUBLE, "0")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, clearable, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, foreign, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, guarded, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_MASK(0, holdoff, MAY_BE_LONG|MAY_BE_DOUBLE, "10")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_get, 0, 1, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, default, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Cache_peek arginfo_class_McPatterns_Cache_get

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_McPatterns_Cache_entry, 0, 1, McPatterns\\Entry, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Cache_lookup arginfo_class_McPatterns_Cache_entry

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_publish, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_abandon, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Cache_has arginfo_class_McPatterns_Cache_abandon

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_set, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, value, IS_MIXED, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_OBJ_TYPE_MASK(0, grace, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Cache_add arginfo_class_McPatterns_Cache_set

#define arginfo_class_McPatterns_Cache_replace arginfo_class_McPatterns_Cache_set

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_update, 0, 2, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, change, IS_CALLABLE, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Cache_pull arginfo_class_McPatterns_Cache_get

#define arginfo_class_McPatterns_Cache_delete arginfo_class_McPatterns_Cache_abandon

#define arginfo_class_McPatterns_Cache_forget arginfo_class_McPatterns_Cache_abandon

#define arginfo_class_McPatterns_Cache_expire arginfo_class_McPatterns_Cache_abandon

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_touch, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_class_McPatterns_Cache_increment, 0, 1, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_LONG, 0, "1")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, initial, IS_LONG, 1, "null")
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_MASK_EX(arginfo_class_McPatterns_Cache_decrement, 0, 1, MAY_BE_LONG|MAY_BE_FALSE)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_remember, 0, 3, IS_MIXED, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_CALLABLE|MAY_BE_NULL, NULL)
	ZEND_ARG_TYPE_INFO(0, compute, IS_CALLABLE, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, grace, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_MASK(0, lease, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_MASK(0, wait, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, stale, _IS_BOOL, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, staleOnError, _IS_BOOL, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, early, IS_DOUBLE, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, jitter, IS_DOUBLE, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, refresh, McPatterns\\Refresh, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, force, _IS_BOOL, 0, "false")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(1, entry, McPatterns\\Entry, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, tags, IS_CALLABLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_rememberMany, 0, 3, IS_ARRAY, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, keys, Traversable, MAY_BE_ARRAY, NULL)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, NULL)
	ZEND_ARG_TYPE_INFO(0, compute, IS_CALLABLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_getMultiple, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, keys, Traversable, MAY_BE_ARRAY, NULL)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, default, IS_MIXED, 0, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_prefetch, 0, 1, IS_VOID, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, keys, Traversable, MAY_BE_ARRAY, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_setMultiple, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, values, Traversable, MAY_BE_ARRAY, NULL)
	ZEND_ARG_OBJ_TYPE_MASK(0, ttl, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_OBJ_TYPE_MASK(0, grace, DateInterval|Time\\Duration, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_deleteMultiple, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_OBJ_TYPE_MASK(0, keys, Traversable, MAY_BE_ARRAY, NULL)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Cache_expireMultiple arginfo_class_McPatterns_Cache_deleteMultiple

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_McPatterns_Cache_tagged, 0, 0, McPatterns\\Cache, 0)
	ZEND_ARG_VARIADIC_TYPE_MASK(0, tags, MAY_BE_ARRAY|MAY_BE_STRING, NULL)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_invalidateTags, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_VARIADIC_TYPE_MASK(0, tags, MAY_BE_ARRAY|MAY_BE_STRING, NULL)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Cache_deleteTags arginfo_class_McPatterns_Cache_invalidateTags

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_clear, 0, 0, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, strict, _IS_BOOL, 0, "true")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Cache_stats, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(McPatterns_Cache, __construct);
ZEND_METHOD(McPatterns_Cache, get);
ZEND_METHOD(McPatterns_Cache, peek);
ZEND_METHOD(McPatterns_Cache, entry);
ZEND_METHOD(McPatterns_Cache, lookup);
ZEND_METHOD(McPatterns_Cache, publish);
ZEND_METHOD(McPatterns_Cache, abandon);
ZEND_METHOD(McPatterns_Cache, has);
ZEND_METHOD(McPatterns_Cache, set);
ZEND_METHOD(McPatterns_Cache, add);
ZEND_METHOD(McPatterns_Cache, replace);
ZEND_METHOD(McPatterns_Cache, update);
ZEND_METHOD(McPatterns_Cache, pull);
ZEND_METHOD(McPatterns_Cache, delete);
ZEND_METHOD(McPatterns_Cache, forget);
ZEND_METHOD(McPatterns_Cache, expire);
ZEND_METHOD(McPatterns_Cache, touch);
ZEND_METHOD(McPatterns_Cache, increment);
ZEND_METHOD(McPatterns_Cache, decrement);
ZEND_METHOD(McPatterns_Cache, remember);
ZEND_METHOD(McPatterns_Cache, rememberMany);
ZEND_METHOD(McPatterns_Cache, getMultiple);
ZEND_METHOD(McPatterns_Cache, prefetch);
ZEND_METHOD(McPatterns_Cache, setMultiple);
ZEND_METHOD(McPatterns_Cache, deleteMultiple);
ZEND_METHOD(McPatterns_Cache, expireMultiple);
ZEND_METHOD(McPatterns_Cache, tagged);
ZEND_METHOD(McPatterns_Cache, invalidateTags);
ZEND_METHOD(McPatterns_Cache, deleteTags);
ZEND_METHOD(McPatterns_Cache, clear);
ZEND_METHOD(McPatterns_Cache, stats);


static const zend_function_entry class_McPatterns_Cache_methods[] = {
	ZEND_ME(McPatterns_Cache, __construct, arginfo_class_McPatterns_Cache___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, get, arginfo_class_McPatterns_Cache_get, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, peek, arginfo_class_McPatterns_Cache_peek, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, entry, arginfo_class_McPatterns_Cache_entry, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, lookup, arginfo_class_McPatterns_Cache_lookup, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, publish, arginfo_class_McPatterns_Cache_publish, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, abandon, arginfo_class_McPatterns_Cache_abandon, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, has, arginfo_class_McPatterns_Cache_has, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, set, arginfo_class_McPatterns_Cache_set, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, add, arginfo_class_McPatterns_Cache_add, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, replace, arginfo_class_McPatterns_Cache_replace, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, update, arginfo_class_McPatterns_Cache_update, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, pull, arginfo_class_McPatterns_Cache_pull, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, delete, arginfo_class_McPatterns_Cache_delete, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, forget, arginfo_class_McPatterns_Cache_forget, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, expire, arginfo_class_McPatterns_Cache_expire, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, touch, arginfo_class_McPatterns_Cache_touch, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, increment, arginfo_class_McPatterns_Cache_increment, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, decrement, arginfo_class_McPatterns_Cache_decrement, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, remember, arginfo_class_McPatterns_Cache_remember, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, rememberMany, arginfo_class_McPatterns_Cache_rememberMany, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, getMultiple, arginfo_class_McPatterns_Cache_getMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, prefetch, arginfo_class_McPatterns_Cache_prefetch, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, setMultiple, arginfo_class_McPatterns_Cache_setMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, deleteMultiple, arginfo_class_McPatterns_Cache_deleteMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, expireMultiple, arginfo_class_McPatterns_Cache_expireMultiple, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, tagged, arginfo_class_McPatterns_Cache_tagged, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, invalidateTags, arginfo_class_McPatterns_Cache_invalidateTags, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, deleteTags, arginfo_class_McPatterns_Cache_deleteTags, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, clear, arginfo_class_McPatterns_Cache_clear, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Cache, stats, arginfo_class_McPatterns_Cache_stats, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Cache(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Cache", class_McPatterns_Cache_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
