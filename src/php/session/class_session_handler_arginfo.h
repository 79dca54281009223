/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 3c05f67ceb67b75512060545860c135bec37681f */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_SessionHandler___construct, 0, 0, 1)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, locking, McPatterns\\Locking, 1, "null")
	ZEND_ARG_TYPE_MASK(0, lockWait, MAY_BE_LONG|MAY_BE_DOUBLE, "35")
	ZEND_ARG_TYPE_MASK(0, lockExpire, MAY_BE_LONG|MAY_BE_DOUBLE, "30")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, ttl, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, format, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, mergeDepth, IS_LONG, 0, "1")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, foreignPrefix, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_SessionHandler_open, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, path, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_SessionHandler_close, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_SessionHandler_read, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_SessionHandler_write, 0, 2, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, data, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_SessionHandler_destroy, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_SessionHandler_gc, 0, 1, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO(0, max_lifetime, IS_LONG, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_SessionHandler_create_sid, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_SessionHandler_validateId arginfo_class_McPatterns_SessionHandler_destroy

#define arginfo_class_McPatterns_SessionHandler_updateTimestamp arginfo_class_McPatterns_SessionHandler_write

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_SessionHandler_holder, 0, 1, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO(0, id, IS_STRING, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(McPatterns_SessionHandler, __construct);
ZEND_METHOD(McPatterns_SessionHandler, open);
ZEND_METHOD(McPatterns_SessionHandler, close);
ZEND_METHOD(McPatterns_SessionHandler, read);
ZEND_METHOD(McPatterns_SessionHandler, write);
ZEND_METHOD(McPatterns_SessionHandler, destroy);
ZEND_METHOD(McPatterns_SessionHandler, gc);
ZEND_METHOD(McPatterns_SessionHandler, create_sid);
ZEND_METHOD(McPatterns_SessionHandler, validateId);
ZEND_METHOD(McPatterns_SessionHandler, updateTimestamp);
ZEND_METHOD(McPatterns_SessionHandler, holder);


static const zend_function_entry class_McPatterns_SessionHandler_methods[] = {
	ZEND_ME(McPatterns_SessionHandler, __construct, arginfo_class_McPatterns_SessionHandler___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_SessionHandler, open, arginfo_class_McPatterns_SessionHandler_open, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_SessionHandler, close, arginfo_class_McPatterns_SessionHandler_close, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_SessionHandler, read, arginfo_class_McPatterns_SessionHandler_read, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_SessionHandler, write, arginfo_class_McPatterns_SessionHandler_write, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_SessionHandler, destroy, arginfo_class_McPatterns_SessionHandler_destroy, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_SessionHandler, gc, arginfo_class_McPatterns_SessionHandler_gc, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_SessionHandler, create_sid, arginfo_class_McPatterns_SessionHandler_create_sid, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_SessionHandler, validateId, arginfo_class_McPatterns_SessionHandler_validateId, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_SessionHandler, updateTimestamp, arginfo_class_McPatterns_SessionHandler_updateTimestamp, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_SessionHandler, holder, arginfo_class_McPatterns_SessionHandler_holder, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_SessionHandler(zend_class_entry *class_entry_SessionHandlerInterface, zend_class_entry *class_entry_SessionIdInterface, zend_class_entry *class_entry_SessionUpdateTimestampHandlerInterface)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "SessionHandler", class_McPatterns_SessionHandler_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;
	zend_class_implements(class_entry, 3, class_entry_SessionHandlerInterface, class_entry_SessionIdInterface, class_entry_SessionUpdateTimestampHandlerInterface);

	return class_entry;
}
