/* The class McPatterns\Audit: rebuilds a sampled value after the response, and compares it with the served value. */
/* SPDX-License-Identifier: MIT */
#include "../cache/remember/after_response.h"
#include "../cache/remember/remember.h"
#include "../engine/computing.h"
#include "../host/environment.h"
#include "../objects/classes.h"
#include "../objects/object.h"
#include "../objects/options.h"
#include "../pool/pool_listener.h"
#include "../value/value.h"
#include "SAPI.h"
#include "main/php_output.h"
#include "php_mcpatterns.h"

#include "class_audit_arginfo.h"

/* Compares the bytes as stored, but without compression, because its libraries differ between hosts. If the bytes
 * differ, both values are decoded and encoded again. Another serializer might have written one of them, or a class
 * might decode to something else. */

static const mcp_format *format_of(const mcp_audit_due *due) {
	return php_mcp_pool_format(due->object->pool);
}

static mcp_bytes payload_served(const mcp_audit_due *due) {
	return php_mcp_bytes_of(due->payload);
}

static bool encode(const mcp_audit_due *due, zval *value, mcp_encoded_value *encoded) {
	mcp_format plain = *format_of(due);
	plain.compressor = NULL;
	return php_mcp_value_encode(encoded, value, &plain, php_mcp_bytes_of(due->name));
}

static bool encode_again(const mcp_audit_due *due, mcp_bytes payload, uint32_t flags,
	mcp_encoded_value *encoded) {
	zval value;
	if (!php_mcp_value_decode(&value, payload, flags, format_of(due))) {
		return false;
	}
	bool is_encoded = encode(due, &value, encoded);
	zval_ptr_dtor(&value);
	if (is_encoded && EG(exception) != NULL) { /* the value's destructor threw */
		php_mcp_value_release(encoded);
		return false;
	}
	return is_encoded;
}

static bool have_equal_bytes(mcp_bytes payload, uint32_t flags, const mcp_encoded_value *encoded) {
	return flags == encoded->flags && mcp_bytes_equal(payload, encoded->payload);
}

/* Compare both values as they are after a store and a read by this process. */
static bool compare_on_their_way(const mcp_audit_due *due, const mcp_encoded_value *computed,
	bool *are_equal) {
	mcp_encoded_value served;
	if (!encode_again(due, payload_served(due), due->flags, &served)) {
		return false;
	}
	*are_equal = have_equal_bytes(computed->payload, computed->flags, &served);
	mcp_encoded_value again;
	bool is_compared = *are_equal || encode_again(due, computed->payload, computed->flags, &again);
	if (is_compared && !*are_equal) {
		*are_equal = have_equal_bytes(again.payload, again.flags, &served);
		php_mcp_value_release(&again);
	}
	php_mcp_value_release(&served);
	return is_compared;
}

static bool compare_bytes(const mcp_audit_due *due, zval *computed, bool *are_equal) {
	mcp_encoded_value encoded;
	if (!encode(due, computed, &encoded)) {
		return false;
	}
	*are_equal = have_equal_bytes(payload_served(due), due->flags, &encoded);
	bool is_compared = *are_equal || compare_on_their_way(due, &encoded, are_equal);
	php_mcp_value_release(&encoded);
	return is_compared;
}

static bool ask_compare(const mcp_audit_due *due, zval *computed, bool *are_equal) {
	zval arguments[2];
	if (!php_mcp_value_decode(&arguments[0], payload_served(due), due->flags, format_of(due))) {
		return false;
	}
	ZVAL_COPY(&arguments[1], computed);
	mcp_user_call compare = due->audit->compare;
	zval result;
	bool is_compared = php_mcp_user_call_run_all(&compare, arguments, 2, &result);
	if (is_compared) {
		*are_equal = zend_is_true(&result);
		zval_ptr_dtor(&result);
	}
	zval_ptr_dtor(&arguments[1]);
	zval_ptr_dtor(&arguments[0]);
	return is_compared && EG(exception) == NULL;
}

/* Reads the entry before the computation, in order to skip a changed entry. If the values differ, reads the entry
 * again, because it might have changed meanwhile. Failures of user code are handled here, because no caller gets the
 * result. */

/* After a check of more than this time, this thread makes no check for 9 times as long as the check took. Checks then
 * take at most a tenth of its time, whatever the rate and the compute time are. */
#define REST_ABOVE_MS 100
#define REST_TIMES 9

static mcp_standing read_standing(const mcp_remember_call *remembering, mcp_audit_due *due) {
	mcp_cache_call call;
	php_mcp_remember_call_renew(remembering, &call);
	return mcp_cache_standing(&call.cache, &call.key, &due->served);
}

static void count_audit(const mcp_audit_due *due, mcp_count_of_cache which, uint64_t by) {
	php_mcp_cache_object_tally(due->object, which, by);
}

static void report(const mcp_audit_due *due, mcp_error_kind kind, zend_object *exception) {
	mcp_key_buffer buffer;
	mcp_key key = php_mcp_cache_object_key(due->object, due->name, &buffer);
	mcp_error_event trouble = {
		.kind = kind,
		.key = &key,
		.name = due->name,
		.exception = exception,
	};
	php_mcp_pool_listener_report(due->object->pool, &trouble);
}

static void count_difference(const mcp_audit_due *due, mcp_standing standing) {
	bool stands = standing == MCP_STANDING_YES || standing == MCP_STANDING_BUSY;
	count_audit(due, MCP_COUNT_AUDITED, 1);
	count_audit(due, MCP_COUNT_AUDIT_DIFFERENT, 1);
	count_audit(due, MCP_COUNT_AUDIT_STILL_STORED, stands ? 1 : 0);
	mcp_meter_raise(due->object->meter, due->object->statistics, MCP_COUNT_AUDIT_OLDEST_MS,
		mcp_served_age_ms(&due->served, due->served_ms));
	php_mcp_cache_object_trace(due->object, MCP_TRACE_DIFFERENT, due->name);
	report(due, MCP_ERROR_KIND_DIFFERENT, NULL);
}

/* Compare with the Audit's callable, or compare the stored bytes. Runs user code. Returns false, possibly with an
 * exception, if user code failed or the values cannot be compared. */
static bool compute_and_compare(mcp_remember_call *remembering, const mcp_audit_due *due,
	bool *are_equal) {
	zval computed;
	if (!php_mcp_remember_call_run(remembering, &computed)) {
		return false;
	}
	bool is_compared = php_mcp_user_call_is_none(&due->audit->compare)
		? compare_bytes(due, &computed, are_equal)
		: ask_compare(due, &computed, are_equal);
	zval_ptr_dtor(&computed);
	return is_compared && EG(exception) == NULL;
}

typedef struct output_before {
	int flags;
	int level;
	bool were_headers_sent;
} output_before;

static bool was_over(const output_before *before) {
	return (before->flags & PHP_OUTPUT_ACTIVATED) == 0;
}

/* Restart PHP's output if it is closed. FrankenPHP closes it after each request of a worker, before the worker's loop
 * continues, and PHP would then write the output of user code to a freed stack. Mark the headers as sent, so that
 * none is sent. */
static output_before begin_silence(void) {
	output_before before = {.flags = OG(flags), .were_headers_sent = SG(headers_sent)};
	if (was_over(&before)) {
		php_output_activate();
		SG(headers_sent) = true;
	}
	before.level = php_output_get_level();
	php_output_start_default();
	return before;
}

static void end_silence(const output_before *before) {
	while (php_output_get_level() > before->level) {
		php_output_discard();
	}
	if (was_over(before)) {
		php_output_deactivate();
		OG(flags) = before->flags;
		SG(headers_sent) = before->were_headers_sent;
	}
}

/* Discard the output of user code, because the response is complete. In a Fiber, discard nothing, because other code
 * prints into its own buffers while the Fiber is suspended. */
static bool run_in_silence(mcp_remember_call *remembering, const mcp_audit_due *due,
	bool *are_equal) {
	if (php_mcp_fiber_now() != NULL) {
		return compute_and_compare(remembering, due, are_equal);
	}
	output_before before = begin_silence();
	bool is_compared = compute_and_compare(remembering, due, are_equal);
	end_silence(&before);
	return is_compared && EG(exception) == NULL;
}

static uint64_t now_ns(void) {
	return mcp_monotonic_ns(php_mcp_environment_get());
}

static void fail_audit(const mcp_audit_due *due) {
	if (EG(exception) != NULL && php_mcp_user_call_is_exiting()) {
		return;
	}
	count_audit(due, MCP_COUNT_AUDIT_FAILED, 1);
	report(due, MCP_ERROR_KIND_COMPUTATION, EG(exception));
	if (EG(exception) != NULL) {
		php_mcp_after_response_contain("auditing", ZSTR_VAL(due->name));
	}
}

static void check(mcp_audit_due *due) {
	mcp_remember_call remembering = php_mcp_remember_repeat_audited(due);
	if (read_standing(&remembering, due) != MCP_STANDING_YES) {
		count_audit(due, MCP_COUNT_AUDIT_INCONCLUSIVE, 1);
		return;
	}
	uint64_t began_ns = now_ns();
	bool are_equal = false;
	bool is_compared = run_in_silence(&remembering, due, &are_equal);
	uint64_t took_ms = mcp_ns_to_ms(now_ns() - began_ns);
	count_audit(due, MCP_COUNT_AUDIT_MS, took_ms);
	if (took_ms > REST_ABOVE_MS) {
		MCP_G(audits_rest_until_ns) = now_ns() + REST_TIMES * took_ms * MCP_NS_PER_MS;
	}
	if (!is_compared) {
		fail_audit(due);
		return;
	}
	if (are_equal) {
		count_audit(due, MCP_COUNT_AUDITED, 1);
		return;
	}
	mcp_standing standing = read_standing(&remembering, due);
	if (standing == MCP_STANDING_NO) {
		count_audit(due, MCP_COUNT_AUDIT_INCONCLUSIVE, 1);
	} else {
		count_difference(due, standing);
	}
}

static void check_due(void) {
	if (MCP_REQUEST(is_auditing) || MCP_REQUEST(audit_due) == NULL || EG(exception) != NULL) {
		return;
	}
	mcp_audit_due *due = php_mcp_remember_take_audit();
	if (due == NULL) {
		return;
	}
	if (now_ns() >= MCP_G(audits_rest_until_ns)) {
		MCP_REQUEST(is_auditing) = true;
		check(due);
		MCP_REQUEST(is_auditing) = false;
	}
	php_mcp_remember_release_audit(due);
}

/* Check after the response, or at the end of a command-line script. An exit in user code ends only the check. */
static void check_last(void) {
	int exit_status = EG(exit_status);
	check_due();
	if (EG(exception) != NULL) {
		php_mcp_after_response_contain("auditing", "a value");
		EG(exit_status) = exit_status;
	}
}

void php_mcp_audit_check_between(void) {
	if (php_mcp_after_response_is_possible() || MCP_REQUEST(user_calls) > 0 ||
		EG(exception) != NULL) {
		return;
	}
	check_due();
	/* Destructors of the value and of its computation might have thrown. */
	if (!php_mcp_user_call_is_exiting()) {
		php_mcp_after_response_contain("auditing", "a value");
	}
}

#define DEFAULT_RATE 0.001
/* Number of distinct random numbers in remember.c. */
#define ALL ((double)(UINT64_C(1) << 53))

static zend_object_handlers handlers;

static zend_object *create_audit(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static mcp_audit *audit_from(zend_object *std) {
	return (mcp_audit *)((char *)std - offsetof(mcp_audit, std));
}

static void free_object(zend_object *std) {
	mcp_audit *audit = audit_from(std);
	mcp_cache_object *object = audit->object;
	if (object != NULL) {
		audit->object = NULL;
		if (object->own_audit == audit) {
			object->own_audit = NULL;
		}
		php_mcp_user_call_release(&audit->compare);
		OBJ_RELEASE(&object->std);
	}
	zend_object_std_dtor(std);
}

static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	mcp_audit *audit = audit_from(std);
	zend_get_gc_buffer *buffer = zend_get_gc_buffer_create();
	if (audit->object != NULL) {
		zend_get_gc_buffer_add_obj(buffer, &audit->object->std);
		php_mcp_user_call_show(&audit->compare, buffer);
	}
	zend_get_gc_buffer_use(buffer, table, count);
	return NULL;
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const mcp_audit *audit = audit_from(std);
	zval info;
	array_init(&info);
	*is_temporary = true;
	if (audit->object != NULL) {
		add_assoc_str(&info, "prefix", zend_string_copy(audit->object->scope));
		add_assoc_double(&info, "rate", (double)audit->threshold / ALL);
		add_assoc_bool(&info, "isOn", audit->object->own_audit == audit);
	}
	return Z_ARRVAL(info);
}

ZEND_METHOD(McPatterns_Audit, __construct) {
	zend_object *cache;
	double rate = DEFAULT_RATE;
	bool is_default = true;
	mcp_user_call compare = php_mcp_user_call_none();
	ZEND_PARSE_PARAMETERS_START(1, 3)
		Z_PARAM_OBJ_OF_CLASS(cache, php_mcp_cache_class_entry)
		Z_PARAM_OPTIONAL
		Z_PARAM_DOUBLE_OR_NULL(rate, is_default)
		Z_PARAM_FUNC_OR_NULL(compare.info, compare.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_audit *audit = audit_from(Z_OBJ_P(ZEND_THIS));
	mcp_cache_object *object = php_mcp_cache_object_take(cache);
	if (object == NULL || !php_mcp_object_require_new(&audit->std, audit->object) ||
		!php_mcp_options_is_between(2, rate, 0, 1)) {
		RETURN_THROWS();
	}
	audit->object = php_mcp_cache_object_base(object);
	GC_ADDREF(&audit->object->std);
	audit->object->own_audit = audit;
	audit->threshold = (uint64_t)((is_default ? DEFAULT_RATE : rate) * ALL);
	audit->compare = compare;
	if (!php_mcp_user_call_is_none(&compare)) {
		php_mcp_user_call_keep(&audit->compare);
	}
}

void php_mcp_class_audit_register(void) {
	zend_class_entry *type = register_class_McPatterns_Audit();
	type->create_object = create_audit;
	php_mcp_object_handlers_init(&handlers, offsetof(mcp_audit, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
	php_mcp_after_response_follow(check_last);
}
