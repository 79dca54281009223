/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: dbeabd6a72fed3241f9c8bbe72468f314900b53b */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Key___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Key_of, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, head, IS_STRING, 0)
	ZEND_ARG_VARIADIC_TYPE_INFO(0, parts, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Key_md5, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, options, IS_MIXED, 0)
ZEND_END_ARG_INFO()


static ZEND_METHOD(McPatterns_Key, __construct);
static ZEND_METHOD(McPatterns_Key, of);
static ZEND_METHOD(McPatterns_Key, md5);


static const zend_function_entry class_McPatterns_Key_methods[] = {
	ZEND_ME(McPatterns_Key, __construct, arginfo_class_McPatterns_Key___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(McPatterns_Key, of, arginfo_class_McPatterns_Key_of, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Key, md5, arginfo_class_McPatterns_Key_md5, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Key(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Key", class_McPatterns_Key_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
