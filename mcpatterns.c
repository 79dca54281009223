/* Starts and ends the extension: initializes its globals and registers its classes. Contains no logic. */
/* SPDX-License-Identifier: MIT */
#include "php_mcpatterns.h"

#include "ext/standard/info.h"

#include "src/php/cache/remember/after_response.h"
#include "src/php/cache/remember/remember.h"
#include "src/php/cache/claims/cache_claims.h"
#include "src/php/cache/object/cache_memo.h"
#include "src/php/cache/reads/kept_reads.h"
#include "src/php/metrics/meters.h"
#include "src/php/pool/class_pool.h"
#include "src/php/pool/pool_listener.h"
#include "src/php/objects/classes.h"
#include "src/php/engine/bailout.h"
#include "src/php/engine/interrupt.h"
#include "src/php/engine/compat.h"
#include "src/php/engine/computing.h"
#include "src/php/engine/value_watch.h"
#include "src/php/key/key_drift.h"
#include "src/php/library/library.h"
#include "src/php/host/shared_memory.h"
#include "src/php/pool/pool.h"
#include "src/php/host/process.h"
#include "src/php/session/session_module.h"
#include "src/php/session/open_session.h"
#include "src/php/engine/user.h"
#include "src/php/tls/tls_stream.h"
#include "src/php/value/serializers.h"

ZEND_DECLARE_MODULE_GLOBALS(mcpatterns)

/* Order: a class is registered after the classes that it needs. */
static void (*const registrations[])(void) = {
	php_mcp_exceptions_register,
	php_mcp_enums_register,
	php_mcp_serializers_register,
	php_mcp_class_pool_register,
	php_mcp_class_key_register,
	php_mcp_class_clock_register,
	php_mcp_class_entry_register,
	php_mcp_class_cache_register,
	php_mcp_after_response_register,
	php_mcp_class_mc_register,
	php_mcp_class_lock_register,
	php_mcp_class_counter_register,
	php_mcp_class_online_counter_register,
	php_mcp_class_rate_limiter_register,
	php_mcp_class_event_log_register,
	php_mcp_class_member_set_register,
	php_mcp_class_table_register,
	php_mcp_class_semaphore_register,
	php_mcp_class_unique_visitors_register,
	php_mcp_class_session_handler_register,
	php_mcp_class_audit_register,
	php_mcp_class_metrics_register,
};

static void (*const method_end_work[])(void) = {
	php_mcp_bailout_raise,
	php_mcp_pool_listener_tell,
	php_mcp_pool_listener_renew_servers,
	NULL,
};

/* Order: the trace ends after the releases, because releases are still counted and traced. */
static const mcp_request_scope request_scopes[MCP_REQUEST_SCOPES] = {
	{"an open session", NULL, php_mcp_session_module_end_request, NULL},
	{"rebuilds after the response", NULL, php_mcp_after_response_reset, NULL},
	{"an audit", php_mcp_audit_check_between, php_mcp_remember_reset_audits, NULL},
	{"listeners", php_mcp_pool_listener_silence, php_mcp_pool_listener_end, NULL},
	{"the Cache of MC", NULL, php_mcp_class_mc_reset, NULL},
	{"a fatal error", NULL, php_mcp_bailout_forget, NULL},
	{"memory_limit", NULL, php_mcp_give_back_lift_limit, NULL},
	{"holds", php_mcp_give_back_between, php_mcp_give_back_all, NULL},
	{"claims", php_mcp_cache_claims_reset_between, php_mcp_cache_claims_reset,
		php_mcp_cache_claims_reset},
	{"tag snapshots", php_mcp_kept_reads_reset_tags, NULL, php_mcp_kept_reads_reset_tags},
	{"read stamps", php_mcp_kept_reads_reset_stamps, NULL, php_mcp_kept_reads_reset_stamps},
	{"object caches", php_mcp_cache_memo_empty_all, NULL, NULL},
	{"the default Pool", NULL, php_mcp_class_pool_release_default, NULL},
	{"parts of the library", NULL, php_mcp_library_release, NULL},
	{"key drift", php_mcp_key_drift_reset, NULL, php_mcp_key_drift_reset},
	{"log lines of sessions", php_mcp_session_module_end_log, NULL, NULL},
	{"lines of the trace", php_mcp_meters_end_trace_lines, NULL, php_mcp_meters_end_trace_files},
	{"late writes", php_mcp_connections_end_request, NULL, php_mcp_connections_end_request},
	{"the clock", NULL, NULL, php_mcp_environment_unfreeze_clock},
	{"a fatal error during releases", NULL, NULL, php_mcp_bailout_forget},
	{"memory_limit again", NULL, php_mcp_give_back_restore_limit, NULL},
	{"listeners again", php_mcp_pool_listener_unsilence, NULL, NULL},
};

static void begin_thread(void *memory) {
#if defined(ZTS) && defined(COMPILE_DL_MCPATTERNS)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	zend_mcpatterns_globals *globals = memory;
	memset(globals, 0, sizeof(*globals));
	php_mcp_process_watch();
	php_mcp_environment_init(&globals->environment, &globals->clock);
	php_mcp_connections_init(&globals->connections);
	php_mcp_server_sets_init(&globals->server_sets);
	php_mcp_discoveries_init(&globals->discoveries);
}

static void end_thread(void *memory) {
	zend_mcpatterns_globals *globals = memory;
	php_mcp_server_sets_destroy(&globals->server_sets);
	zend_hash_destroy(&globals->discoveries.entries);
	php_mcp_class_unique_visitors_free_known(globals->unique_known);
	php_mcp_compressors_free(&globals->compressor_contexts);
	free(globals->near_copy);
	php_mcp_shared_memory_leave_holders(&globals->holder);
	mcp_buffer_free(&globals->many_scratch);
	php_mcp_connections_destroy(&globals->connections);
}

static PHP_MINIT_FUNCTION(mcpatterns) {
	if (!php_mcp_connections_are_safe()) {
		zend_error(E_CORE_WARNING,
			"mcpatterns requires libmemcached 1.1.4 or later: %s is loaded,"
			" which can return wrong values after a timeout",
			php_mcp_connections_libmemcached_version());
		return FAILURE;
	}
	if (!php_mcp_settings_register(type, module_number) || !php_mcp_class_pool_judge_at_start() ||
		!php_mcp_open_session_read_keys()) {
		return FAILURE;
	}
	php_mcp_shared_memory_open();
	php_mcp_shared_memory_start_parts();
	php_mcp_discoveries_start();
	php_mcp_user_changes_watch();
	php_mcp_meters_open();
	for (size_t i = 0; i < sizeof(registrations) / sizeof(registrations[0]); i++) {
		registrations[i]();
	}
	php_mcp_request_scopes_register(request_scopes);
	php_mcp_pool_register_change(php_mcp_kept_reads_doubt_stamps);
	php_mcp_pool_flush_register(php_mcp_kept_reads_end_flushed);
	php_mcp_method_end_register(method_end_work);
	php_mcp_bailout_follow(php_mcp_connections_close_tls);
	php_mcp_value_watch_register();
	if (type == MODULE_PERSISTENT) {
		php_mcp_session_module_register(); /* PHP keeps a pointer to the handler forever */
	}
	return SUCCESS;
}

static PHP_MSHUTDOWN_FUNCTION(mcpatterns) {
	(void)type;
	php_mcp_value_watch_unregister();
	php_mcp_method_end_unregister();
	UNREGISTER_INI_ENTRIES();
	php_mcp_user_changes_unwatch();
	php_mcp_discoveries_stop();
	php_mcp_shared_memory_stop_parts();
	php_mcp_meters_close();
	php_mcp_shared_memory_close();
	php_mcp_open_session_forget_keys();
	return SUCCESS;
}

static PHP_RINIT_FUNCTION(mcpatterns) {
	(void)type;
	(void)module_number;
#if defined(ZTS) && defined(COMPILE_DL_MCPATTERNS)
	ZEND_TSRMLS_CACHE_UPDATE();
#endif
	php_mcp_meters_begin_request();
	php_mcp_after_response_begin_request();
	return SUCCESS;
}

static PHP_RSHUTDOWN_FUNCTION(mcpatterns) {
	(void)type;
	(void)module_number;
	php_mcp_request_scopes_end();
	return SUCCESS;
}

/* Clear the request after its last object has been freed: user code can still run after RSHUTDOWN (in a session handler
 * of another extension). The engine has freed the default pool by now. */
static int forget_request(void) {
	php_mcp_request_scopes_forget();
	return SUCCESS;
}

static void print_row(const char *name, zend_string *text) {
	php_info_print_table_row(2, name, ZSTR_VAL(text));
	zend_string_release(text);
}

static PHP_MINFO_FUNCTION(mcpatterns) {
	(void)zend_module;
	php_info_print_table_start();
	php_info_print_table_row(2, "mcpatterns support", "enabled");
	php_info_print_table_row(2, "version", PHP_MCPATTERNS_VERSION);
	php_info_print_table_row(2, "libmemcached version", php_mcp_connections_libmemcached_version());
	php_info_print_table_row(2, "protocol", "text");
	php_info_print_table_row(2, "transports",
		php_mcp_connections_have_transport(MCP_TRANSPORT_LIBMEMCACHED) ? "libmemcached, direct"
																	   : "direct");
	php_info_print_table_row(2, "servers",
		php_mcp_tls_stream_is_supported() ? "TCP, TLS, unix sockets, memory"
										  : "TCP, unix sockets, memory");
	php_info_print_table_row(2, "distributions", "ketama, modulo, one_at_a_time");
	print_row("serializers", php_mcp_serializers_describe());
	print_row("compression", php_mcp_compressors_describe());
	php_info_print_table_row(2, "session handler",
		php_mcp_session_module_is_here() ? "enabled" : "not available");
	print_row("shared memory", php_mcp_shared_memory_describe());
	php_info_print_table_end();
	DISPLAY_INI_ENTRIES();
}

/* clang-format off */
static const zend_module_dep dependencies[] = {
	ZEND_MOD_REQUIRED("date")
	ZEND_MOD_REQUIRED("hash")
	ZEND_MOD_REQUIRED("json")
	ZEND_MOD_REQUIRED("spl")
	ZEND_MOD_REQUIRED("standard")
	ZEND_MOD_OPTIONAL("igbinary")
	ZEND_MOD_OPTIONAL("msgpack")
	ZEND_MOD_OPTIONAL("openssl")
	ZEND_MOD_OPTIONAL("pcntl")
	ZEND_MOD_OPTIONAL("posix")
	ZEND_MOD_OPTIONAL("session")
	ZEND_MOD_END
};

zend_module_entry mcpatterns_module_entry = {
	STANDARD_MODULE_HEADER_EX,
	NULL,
	dependencies,
	"mcpatterns",
	NULL,
	PHP_MINIT(mcpatterns),
	PHP_MSHUTDOWN(mcpatterns),
	PHP_RINIT(mcpatterns),
	PHP_RSHUTDOWN(mcpatterns),
	PHP_MINFO(mcpatterns),
	PHP_MCPATTERNS_VERSION,
	PHP_MODULE_GLOBALS(mcpatterns),
	begin_thread,
	end_thread,
	forget_request,
	STANDARD_MODULE_PROPERTIES_EX
};
/* clang-format on */

#ifdef COMPILE_DL_MCPATTERNS
#ifdef ZTS
ZEND_TSRMLS_CACHE_DEFINE()
#endif
ZEND_GET_MODULE(mcpatterns)
#endif
