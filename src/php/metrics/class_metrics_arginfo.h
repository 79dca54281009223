/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 0a92423b5704fe22a2b433ef034ff7dfa9a30957 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Metrics___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Metrics_read, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Metrics_history arginfo_class_McPatterns_Metrics_read

#define arginfo_class_McPatterns_Metrics_legend arginfo_class_McPatterns_Metrics_read

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Metrics_prometheus, 0, 0, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Metrics_trace, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, group, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, last, IS_LONG, 0, "200")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Metrics_reset, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


static ZEND_METHOD(McPatterns_Metrics, __construct);
static ZEND_METHOD(McPatterns_Metrics, read);
static ZEND_METHOD(McPatterns_Metrics, history);
static ZEND_METHOD(McPatterns_Metrics, legend);
static ZEND_METHOD(McPatterns_Metrics, prometheus);
static ZEND_METHOD(McPatterns_Metrics, trace);
static ZEND_METHOD(McPatterns_Metrics, reset);


static const zend_function_entry class_McPatterns_Metrics_methods[] = {
	ZEND_ME(McPatterns_Metrics, __construct, arginfo_class_McPatterns_Metrics___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(McPatterns_Metrics, read, arginfo_class_McPatterns_Metrics_read, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Metrics, history, arginfo_class_McPatterns_Metrics_history, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Metrics, legend, arginfo_class_McPatterns_Metrics_legend, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Metrics, prometheus, arginfo_class_McPatterns_Metrics_prometheus, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Metrics, trace, arginfo_class_McPatterns_Metrics_trace, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Metrics, reset, arginfo_class_McPatterns_Metrics_reset, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Metrics(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Metrics", class_McPatterns_Metrics_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
