/* Looks before it computes, so that nothing is computed of what has changed, and once more at what differs, which may have
 * changed meanwhile. Whatever user code does in between is contained: it serves nobody. */
/* SPDX-License-Identifier: MIT */
#include "audit_check.h"

#include "../cache/remember/after_response.h"
#include "../cache/remember/remember_audit.h"
#include "../cache/remember/remember_compute.h"
#include "../engine/fiber.h"
#include "../host/environment.h"
#include "../pool/pool_listener.h"
#include "audit_compare.h"
#include "php_mcpatterns.h"

#include "SAPI.h"
#include "main/php_output.h"

/* After a check that took long this thread rests nine times as long: no more than a tenth of a process's time is spent in
 * checks, however large the rate is and whatever a value costs. */
#define REST_ABOVE_MS 100
#define REST_TIMES 9

static mcp_presence look(const mcp_remembering *remembering, mcp_audit_due *due) {
	mcp_cache_call call;
	php_mcp_remembering_renew(remembering, &call);
	return mcp_cache_standing(&call.cache, &call.key, &due->served);
}

static void count(const mcp_audit_due *due, mcp_count_of_cache which, uint64_t by) {
	php_mcp_cache_object_tally(due->object, which, by);
}

static void report(const mcp_audit_due *due, mcp_error_kind kind, zend_object *exception) {
	mcp_key_buffer buffer;
	mcp_key key =
		php_mcp_cache_object_key(due->object->pool, due->object->scope, due->name, &buffer);
	mcp_error_event trouble = {
		.kind = kind,
		.key = &key,
		.name = due->name,
		.exception = exception,
	};
	php_mcp_pool_listener_report(due->object->pool, &trouble);
}

static void count_difference(const mcp_audit_due *due, mcp_presence standing) {
	bool stands = standing == MCP_STANDING_YES || standing == MCP_STANDING_BUSY;
	count(due, MCP_COUNT_AUDITED, 1);
	count(due, MCP_COUNT_AUDIT_DIFFERENT, 1);
	count(due, MCP_COUNT_AUDIT_STANDING, stands ? 1 : 0);
	php_mcp_cache_object_raise(due->object, MCP_COUNT_AUDIT_OLDEST_MS,
		mcp_served_age_ms(&due->served, due->served_ms));
	php_mcp_cache_object_note(due->object, MCP_TRACE_DIFFERENT, due->name);
	report(due, MCP_ERROR_KIND_DIFFERENT, NULL);
}

/* Runs user code. False if it failed, perhaps with an exception. */
static bool compute_and_compare(mcp_remembering *remembering, const mcp_audit_due *due,
	bool *are_equal) {
	zval computed;
	if (!php_mcp_remember_run(remembering, &computed)) {
		return false;
	}
	bool is_told = php_mcp_audit_compare(due, &computed, are_equal);
	zval_ptr_dtor(&computed);
	return is_told && EG(exception) == NULL;
}

/* PHP's output, as it was before a check. */
typedef struct output_before {
	int flags;
	int level;
	bool were_headers_sent;
} output_before;

static bool was_over(const output_before *before) {
	return (before->flags & PHP_OUTPUT_ACTIVATED) == 0;
}

/* Begins PHP's output anew where it is over: FrankenPHP ends it with each request of a worker, before the worker's loop goes
 * on. A buffer of the user's code would stay empty then, and PHP would write it down in a stack that it has freed. The
 * headers count as sent, so that none is. */
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

/* Lets nothing that the user's code prints reach anybody: the visitor has all of the response. Not in a Fiber: while it
 * stands still others print, and have buffers of their own. */
static bool run_in_silence(mcp_remembering *remembering, const mcp_audit_due *due,
	bool *are_equal) {
	if (php_mcp_fiber_now() != NULL) {
		return compute_and_compare(remembering, due, are_equal);
	}
	output_before before = begin_silence();
	bool is_told = compute_and_compare(remembering, due, are_equal);
	end_silence(&before);
	return is_told && EG(exception) == NULL;
}

static uint64_t now_ns(void) {
	return mcp_monotonic_ns(php_mcp_environment_get());
}

static void rest_after(uint64_t took_ms) {
	if (took_ms > REST_ABOVE_MS) {
		MCP_G(audits_rest_until_ns) = now_ns() + REST_TIMES * took_ms * MCP_NS_PER_MS;
	}
}

static void fail(const mcp_audit_due *due) {
	if (EG(exception) != NULL && php_mcp_user_call_is_exiting()) {
		return;
	}
	count(due, MCP_COUNT_AUDIT_FAILED, 1);
	report(due, MCP_ERROR_KIND_COMPUTATION, EG(exception));
	if (EG(exception) != NULL) {
		php_mcp_after_response_contain("auditing", ZSTR_VAL(due->name));
	}
}

static void check(mcp_audit_due *due) {
	mcp_remembering remembering = php_mcp_remember_audit_again(due);
	if (look(&remembering, due) != MCP_STANDING_YES) {
		count(due, MCP_COUNT_AUDIT_OVERTAKEN, 1);
		return;
	}
	uint64_t began_ns = now_ns();
	bool are_equal = false;
	bool is_told = run_in_silence(&remembering, due, &are_equal);
	uint64_t took_ms = mcp_ns_to_ms(now_ns() - began_ns);
	count(due, MCP_COUNT_AUDIT_MS, took_ms);
	rest_after(took_ms);
	if (!is_told) {
		fail(due);
		return;
	}
	if (are_equal) {
		count(due, MCP_COUNT_AUDITED, 1);
		return;
	}
	mcp_presence standing = look(&remembering, due);
	if (standing == MCP_STANDING_NO) {
		count(due, MCP_COUNT_AUDIT_OVERTAKEN, 1);
	} else {
		count_difference(due, standing);
	}
}

static bool is_resting(void) {
	return now_ns() < MCP_G(audits_rest_until_ns);
}

static void check_due(void) {
	if (MCP_REQUEST(is_auditing) || MCP_REQUEST(audit_due) == NULL || EG(exception) != NULL) {
		return;
	}
	mcp_audit_due *due = php_mcp_audits_take();
	if (due == NULL) {
		return;
	}
	if (!is_resting()) {
		MCP_REQUEST(is_auditing) = true;
		check(due);
		MCP_REQUEST(is_auditing) = false;
	}
	php_mcp_audits_release(due);
}

void php_mcp_audit_check_last(void) {
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
	/* Destructors of the value and its computation may have thrown. */
	if (!php_mcp_user_call_is_exiting()) {
		php_mcp_after_response_contain("auditing", "a value");
	}
}
