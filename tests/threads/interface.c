/* An interface without HTTP: requests are numbers, nobody reads a page, and what is said on it or logged is a mistake. */
/* SPDX-License-Identifier: MIT */
#include "interface.h"

#include "tallies.h"

#include "SAPI.h"
#include "main/php_main.h"
#include "main/php_output.h"
#include "main/php_variables.h"

#include <stdio.h>

ZEND_TSRMLS_CACHE_EXTERN()

_Thread_local threads_server *threads_self;
_Thread_local int threads_served;
int threads_requests = 1000;

/* Counts what is said on a page among the failures, but for what the main thread has to say. */
static size_t write_page(const char *text, size_t length) {
	if (length > 0) {
		fprintf(stderr, "%.*s", (int)length, text);
		if (threads_self != NULL) {
			tallies_add("failures", 1);
		}
	}
	return length;
}

static void log_message(const char *message, int type) {
	(void)type;
	fprintf(stderr, "log: %s\n", message);
	tallies_add("failures", 1);
}

static void flush_page(void *context) {
	(void)context;
}

static int send_headers(sapi_headers_struct *headers) {
	(void)headers;
	return SAPI_HEADER_SENT_SUCCESSFULLY;
}

static char *read_cookies(void) {
	return NULL;
}

/* Gives this one to a worker's script as it begins, and to no request that it serves. */
static void register_variables(zval *variables) {
	if (threads_self != NULL && threads_self->kind == THREADS_WORKER && threads_served == 0) {
		php_register_variable("FRANKENPHP_WORKER", "1", variables);
	}
}

static int start_modules(sapi_module_struct *module) {
	return php_module_startup(module, NULL
#if PHP_VERSION_ID < 80200
		,
		0
#endif
	);
}

/* By this name opcache works here, as it does there. */
sapi_module_struct threads_interface = {
	.name = "frankenphp",
	.pretty_name = "threads",
	.startup = start_modules,
	.shutdown = php_module_shutdown_wrapper,
	.ub_write = write_page,
	.flush = flush_page,
	.sapi_error = php_error,
	.send_headers = send_headers,
	.read_cookies = read_cookies,
	.register_server_variables = register_variables,
	.log_message = log_message,
	.php_ini_ignore = 1,
	.php_ini_ignore_cwd = 1,
};

/* --- what scripts call --- */

ZEND_BEGIN_ARG_INFO_EX(arginfo_tally, 0, 0, 1)
ZEND_ARG_INFO(0, name)
ZEND_ARG_INFO(0, by)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_none, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_INFO_EX(arginfo_handler, 0, 0, 1)
ZEND_ARG_INFO(0, handler)
ZEND_END_ARG_INFO()

/* Adds to a number that all threads share, and returns what it is then; of 0 alone what it is. */
static ZEND_FUNCTION(threads_add) {
	char *name;
	size_t length;
	zend_long by = 1;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STRING(name, length)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(by)
	ZEND_PARSE_PARAMETERS_END();
	RETURN_LONG((zend_long)tallies_add(name, by));
}

/* Raises such a number to this one, if it is less. */
static ZEND_FUNCTION(threads_raise) {
	char *name;
	size_t length;
	zend_long to;
	ZEND_PARSE_PARAMETERS_START(2, 2)
		Z_PARAM_STRING(name, length)
		Z_PARAM_LONG(to)
	ZEND_PARSE_PARAMETERS_END();
	tallies_raise(name, to);
}

/* Tells which of the serving threads this is, in whichever of its lives; -1: the main one. */
static ZEND_FUNCTION(threads_number) {
	ZEND_PARSE_PARAMETERS_NONE();
	RETURN_LONG(threads_self != NULL ? threads_self->number : -1);
}

/* Returns the numbers by their names. */
static ZEND_FUNCTION(threads_tallies) {
	ZEND_PARSE_PARAMETERS_NONE();
	array_init(return_value);
	const char *name;
	for (int i = 0; (name = tallies_name(i)) != NULL; i++) {
		add_assoc_long(return_value, name, (zend_long)tallies_add(name, 0));
	}
}

/* Finds the one that matters here of those modules that FrankenPHP has begin and end each request of a worker. */
static zend_module_entry *session_module(void) {
	return zend_hash_str_find_ptr(&module_registry, ZEND_STRL("session"));
}

/* Has each request of a worker find variables of its own, which stay until the next one's. */
static void import_variables(void) {
	zend_auto_global *server = zend_hash_str_find_ptr(CG(auto_globals), ZEND_STRL("_SERVER"));
	server->armed = server->auto_global_callback(server->name);
}

/* Ends a request's output before the worker's loop goes on, and the first time that of its beginning. */
static void end_output(void) {
	php_output_end_all();
	php_output_deactivate();
}

/* Handles a worker's next request; false when its life is over. */
static ZEND_FUNCTION(frankenphp_handle_request) {
	zend_fcall_info call;
	zend_fcall_info_cache cache;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_FUNC(call, cache)
	ZEND_PARSE_PARAMETERS_END();
	if (threads_served == 0) {
		end_output();
	}
	php_output_activate();
	if (threads_served >= threads_requests) {
		RETURN_FALSE;
	}
	threads_served++;
	import_variables();
	zend_module_entry *session = session_module();
	session->request_startup_func(session->type, session->module_number);
	zval result;
	call.retval = &result;
	ZVAL_UNDEF(&result);
	zend_call_function(&call, &cache);
	zval_ptr_dtor(&result);
	session->request_shutdown_func(session->type, session->module_number);
	end_output();
	RETURN_TRUE;
}

/* Ends the response of a request: there is nobody to be sent one. */
static ZEND_FUNCTION(frankenphp_finish_request) {
	ZEND_PARSE_PARAMETERS_NONE();
	php_output_end_all();
	RETURN_TRUE;
}

const zend_function_entry threads_functions[] = {ZEND_FE(threads_add,
	arginfo_tally) ZEND_FE(threads_raise, arginfo_tally) ZEND_FE(threads_number, arginfo_none)
		ZEND_FE(threads_tallies, arginfo_none) ZEND_FE(frankenphp_handle_request, arginfo_handler)
			ZEND_FE(frankenphp_finish_request, arginfo_none) ZEND_FE_END};
