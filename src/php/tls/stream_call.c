/* The engine is told that nobody listens: no handler of the user's, nothing to report, no exception to make of a warning.
 * error_get_last() is put back, so that a warning leaves no trace but here. A fatal error leaves all of its traces. */
/* SPDX-License-Identifier: MIT */
#include "stream_call.h"

#include "../engine/bailout.h"
#include "../engine/user_call.h"
#include "php_globals.h"
#include "zend_exceptions.h"

/* The state of the engine that warnings go by. */
typedef struct listening {
	zval handler;
	mcp_exception_aside exception;
	int reporting;
	zend_error_handling handling;
	zend_execute_data *frame;
	int last_type;
	uint32_t last_line;
	zend_string *last_message, *last_file;
} listening;

/* Says whether a fatal error has been told of already, and the call is the last of what it broke off, or the request's end. */
static bool has_ended_fatally(void) {
	bool is_running = EG(current_execute_data) != NULL;
	return php_mcp_bailout_is_noted() || (CG(unclean_shutdown) && !is_running);
}

static void begin(listening *before) {
	/* PHP would make a warning of an exception that stands before a fatal error, by its __toString(). */
	php_mcp_exception_put_aside(&before->exception);
	ZVAL_COPY_VALUE(&before->handler, &EG(user_error_handler));
	ZVAL_UNDEF(&EG(user_error_handler));
	before->reporting = EG(error_reporting);
	EG(error_reporting) &= has_ended_fatally() ? 0 : E_FATAL_ERRORS;
	before->frame = EG(current_execute_data);
	before->last_type = PG(last_error_type);
	before->last_line = (uint32_t)PG(last_error_lineno);
	before->last_message = PG(last_error_message);
	before->last_file = PG(last_error_file);
	PG(last_error_message) = NULL;
	PG(last_error_file) = NULL;
	zend_replace_error_handling(EH_NORMAL, NULL, &before->handling);
}

static void drop(zend_string *text) {
	if (text != NULL) {
		zend_string_release(text);
	}
}

static void listen_again(listening *before) {
	zend_restore_error_handling(&before->handling);
	ZVAL_COPY_VALUE(&EG(user_error_handler), &before->handler);
	EG(error_reporting) = before->reporting;
	EG(current_execute_data) = before->frame;
	php_mcp_exception_put_back_alone(&before->exception);
}

static void keep_warning(mcp_stream_call *call) {
	const zend_string *message = PG(last_error_message);
	size_t length = 0;
	if (message != NULL) {
		length = MIN(ZSTR_LEN(message), sizeof(call->warning) - 1);
		memcpy(call->warning, ZSTR_VAL(message), length);
	}
	call->warning[length] = '\0';
}

static void end(listening *before, mcp_stream_call *call) {
	listen_again(before);
	keep_warning(call);
	drop(PG(last_error_message));
	drop(PG(last_error_file));
	PG(last_error_message) = before->last_message;
	PG(last_error_file) = before->last_file;
	PG(last_error_type) = before->last_type;
	PG(last_error_lineno) = (int)before->last_line;
}

/* Ends it after a fatal error, which is the last error from now on. */
static void end_fatally(listening *before, mcp_stream_call *call) {
	listen_again(before);
	drop(before->last_message);
	drop(before->last_file);
	call->warning[0] = '\0';
	php_mcp_bailout_note();
}

bool php_mcp_stream_call_run(mcp_stream_call *call) {
	listening before;
	volatile bool has_returned = false;
	begin(&before);
	zend_try {
		call->run(call->context);
		has_returned = true;
	}
	zend_end_try();
	if (EXPECTED(has_returned)) {
		end(&before, call);
	} else {
		end_fatally(&before, call);
	}
	return has_returned;
}
