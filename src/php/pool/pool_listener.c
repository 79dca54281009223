/* Records failures where they happen and reports them at the end of the method or during a wait, where user code can
 * run. Costs nothing without failures. */
/* SPDX-License-Identifier: MIT */
#include "pool_listener.h"

#include "../engine/user_call.h"
#include "../engine/interrupt.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "php_mcpatterns.h"

/* Failures of one kind and server are reported at most once within this time. */
#define QUIET_MS 1000

/* Returns true, and starts the quiet time, if there is a callback and no similar failure was reported recently. */
static bool is_news(mcp_listener *listener, size_t server, mcp_error_kind kind) {
	if (php_mcp_user_call_is_none(&listener->call) || listener->is_running) {
		return false;
	}
	uint64_t now_ms = mcp_monotonic_ms(php_mcp_environment_get());
	uint64_t *quiet_until_ms = &listener->quiet_until_ms[server * MCP_ERROR_KIND_KINDS + kind];
	if (now_ms < *quiet_until_ms) {
		return false;
	}
	*quiet_until_ms = now_ms + QUIET_MS;
	return true;
}

/* Queue the pool and hold it until its failures are reported: the same statement can free the pool's last object. */
static void queue(mcp_pool *pool, mcp_listener *listener) {
	if (!listener->is_queued) {
		listener->is_queued = true;
		listener->next = MCP_REQUEST(troubled_pools);
		MCP_REQUEST(troubled_pools) = php_mcp_pool_add_reference(pool);
	}
	php_mcp_method_end_ask_now();
}

static void observer(void *context, size_t server, mcp_status status,
	const mcp_store_failure *last) {
	mcp_pool *pool = context;
	mcp_listener *listener = php_mcp_pool_listener(pool);
	/* MCP_UNSUPPORTED is not a failure: a proxy has no statistics. */
	if (status != MCP_UNSUPPORTED && !MCP_REQUEST(listeners_are_over) &&
		is_news(listener, server, MCP_ERROR_KIND_SERVER)) {
		mcp_pool_failure *noted = &listener->failures[server];
		noted->status = status;
		noted->is_explained = last != NULL;
		if (last != NULL) {
			noted->failure = *last;
		}
		queue(pool, listener);
	}
}

void php_mcp_pool_listener_set(mcp_pool *pool, const mcp_user_call *call) {
	if (php_mcp_pool_listener(pool) == NULL) {
		if (call == NULL) {
			return;
		}
		php_mcp_pool_add_listener(pool, observer);
	}
	php_mcp_pool_set_listener(php_mcp_pool_listener(pool), call);
}

static size_t server_of(mcp_pool *pool, const mcp_error_event *trouble) {
	const char *address = trouble->key != NULL
		? mcp_store_owner(php_mcp_pool_store(pool), trouble->key)->address
		: trouble->address;
	size_t server = php_mcp_pool_server_count(pool) - 1;
	while (server > 0 && strcmp(php_mcp_pool_server(pool, server)->address, address) != 0) {
		server--;
	}
	return server;
}

static double now_s(void) {
	return (double)mcp_wall_ms(php_mcp_environment_get()) / 1000.0;
}

void php_mcp_pool_listener_report(mcp_pool *pool, const mcp_error_event *trouble) {
	mcp_listener *listener = php_mcp_pool_listener(pool);
	if (listener == NULL || MCP_REQUEST(listeners_are_over)) {
		return;
	}
	size_t server = server_of(pool, trouble);
	if (!is_news(listener, server, trouble->kind)) {
		return;
	}
	mcp_queued_error *noted = emalloc(sizeof(*noted));
	*noted = (mcp_queued_error){
		.kind = trouble->kind,
		.server = server,
		.name = trouble->name != NULL
			? zend_string_copy(trouble->name)
			: zend_string_init(trouble->key->wire.data, trouble->key->wire.length, false),
		.exception = trouble->exception,
		.at_s = now_s(),
	};
	if (noted->exception != NULL) {
		GC_ADDREF(noted->exception);
	}
	*listener->end = noted;
	listener->end = &noted->next;
	queue(pool, listener);
}

/* Takes over both arguments. */
static void call(mcp_listener *listener, zend_string *message, HashTable *context) {
	/* The callback can set another callback and thereby drop the last reference to itself. */
	mcp_user_call listener_call = listener->call;
	php_mcp_user_call_keep(&listener_call);
	zval arguments[2];
	zval result;
	ZVAL_STR(&arguments[0], message);
	ZVAL_ARR(&arguments[1], context);
	php_mcp_user_call_run_all(&listener_call, arguments, 2, &result);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&arguments[0]);
	zval_ptr_dtor(&arguments[1]);
	php_mcp_user_call_release(&listener_call);
}

static HashTable *make_context(const char *kind, const char *server, double at_s) {
	zval context;
	array_init_size(&context, 5);
	add_assoc_string(&context, "kind", kind);
	add_assoc_string(&context, "server", server);
	add_assoc_double(&context, "at", at_s);
	return Z_ARRVAL(context);
}

static void tell_failure(mcp_pool *pool, size_t server, const mcp_pool_failure *noted) {
	const char *address = php_mcp_pool_server(pool, server)->address;
	const mcp_store_failure *failure = noted->is_explained ? &noted->failure : NULL;
	double at_s = failure != NULL ? (double)failure->at_ms / 1000.0 : now_s();
	zend_string *reason = php_mcp_failure_describe(noted->status, failure);
	zend_string *message = zend_strpprintf(0, "%s: %s", address, ZSTR_VAL(reason));
	zend_string_release(reason);
	call(php_mcp_pool_listener(pool), message, make_context("server", address, at_s));
}

/* --- failures of objects --- */
static const struct {
	const char *word;   /* "kind" of the context */
	const char *format; /* format of the message */
} troubles[MCP_ERROR_KIND_KINDS] = {
	[MCP_ERROR_KIND_UNSTORABLE] = {"unstorable", "The value of \"%s\" cannot be stored"},
	[MCP_ERROR_KIND_UNREADABLE] = {"unreadable", "The value of \"%s\" cannot be read"},
	[MCP_ERROR_KIND_COMPUTATION] = {"computation",
		"The computation of \"%s\" failed after the response"},
	[MCP_ERROR_KIND_WHEN_DOWN] = {"when_down",
		"whenDown replaced the result of \"%s\": its server is down"},
	[MCP_ERROR_KIND_DIFFERENT] = {"different",
		"The served value of \"%s\" differs from the recomputed value"},
};

/* Runs user code: an exception can have any message. */
static zend_string *message_of(const mcp_queued_error *one) {
	zend_string *name =
		php_mcp_failure_show_name(mcp_bytes_of(ZSTR_VAL(one->name), ZSTR_LEN(one->name)));
	zend_string *what = zend_strpprintf(0, troubles[one->kind].format, ZSTR_VAL(name));
	zend_string_release(name);
	if (one->exception == NULL) {
		return what;
	}
	zval buffer;
	zend_string *why =
		zval_get_string(php_mcp_exception_property_read(one->exception, ZEND_STR_MESSAGE, &buffer));
	zend_string *message = zend_strpprintf(0, "%s: %s: %s", ZSTR_VAL(what),
		ZSTR_VAL(one->exception->ce->name), ZSTR_VAL(why));
	zend_string_release(why);
	zend_string_release(what);
	return message;
}

static void tell_trouble(mcp_pool *pool, const mcp_queued_error *one) {
	const char *address = php_mcp_pool_server(pool, one->server)->address;
	HashTable *context = make_context(troubles[one->kind].word, address, one->at_s);
	zval entries;
	ZVAL_ARR(&entries, context);
	add_assoc_str(&entries, "key", zend_string_copy(one->name));
	if (one->exception != NULL) {
		GC_ADDREF(one->exception);
		add_assoc_object(&entries, "exception", one->exception);
	}
	zend_string *message = message_of(one);
	if (EG(exception) != NULL) {
		zend_string_release(message);
		zend_array_release(context);
		return;
	}
	call(php_mcp_pool_listener(pool), message, context);
}

static bool may_tell(const mcp_listener *listener) {
	return EG(exception) == NULL && !php_mcp_user_call_is_none(&listener->call);
}

/* Report all failures. After an exception, including the end of a Fiber, do not touch the listener, which might have
 * been freed. */
static void tell_all_of(mcp_pool *pool, mcp_listener *listener) {
	for (size_t i = 0; may_tell(listener) && i < listener->servers; i++) {
		mcp_pool_failure noted = listener->failures[i];
		listener->failures[i].status = MCP_OK;
		if (noted.status != MCP_OK) {
			tell_failure(pool, i, &noted);
		}
	}
	while (may_tell(listener) && listener->first != NULL) {
		mcp_queued_error *one = php_mcp_pool_take_queued_error(listener);
		tell_trouble(pool, one);
		php_mcp_pool_free_queued_error(one);
	}
}

static mcp_pool *take_first(mcp_pool **list) {
	mcp_pool *pool = *list;
	*list = php_mcp_pool_listener(pool)->next;
	return pool;
}

/* Returns false if the request ended meanwhile and the pool was released. Fibers end in any order. */
static bool end_run(mcp_pool *pool) {
	mcp_pool **place = &MCP_REQUEST(listening_pools);
	while (*place != NULL && *place != pool) {
		place = &php_mcp_pool_listener(*place)->next;
	}
	if (*place == NULL) {
		return false;
	}
	take_first(place);
	php_mcp_pool_listener(pool)->is_running = false;
	return true;
}

/* Report the failures of the first pool. Failures that were skipped because of an exception are reported next. */
static void tell_first(void) {
	mcp_pool *pool = take_first(&MCP_REQUEST(troubled_pools));
	mcp_listener *listener = php_mcp_pool_listener(pool);
	listener->is_queued = false;
	listener->is_running = true;
	listener->next = MCP_REQUEST(listening_pools);
	MCP_REQUEST(listening_pools) = pool;
	tell_all_of(pool, listener);
	if (!end_run(pool)) {
		return;
	}
	if (php_mcp_pool_has_queued_errors(listener)) {
		queue(pool, listener);
	}
	php_mcp_pool_let_go(pool);
}

void php_mcp_pool_listener_tell(void) {
	while (MCP_REQUEST(troubled_pools) != NULL &&
		(EG(exception) == NULL || !php_mcp_user_call_is_exiting())) {
		mcp_exception_aside aside;
		php_mcp_exception_put_aside(&aside);
		tell_first();
		php_mcp_exception_put_back(&aside);
	}
}

static void drop_all(mcp_pool **list) {
	while (*list != NULL) {
		php_mcp_pool_let_go(take_first(list));
	}
}

void php_mcp_pool_listener_end(void) {
	MCP_REQUEST(listeners_are_over) = true;
	drop_all(&MCP_REQUEST(troubled_pools));
	/* A fatal error ended the running listeners, and nothing returns to them. */
	drop_all(&MCP_REQUEST(listening_pools));
}

void php_mcp_pool_listener_silence(void) {
	MCP_REQUEST(listeners_were_over) = MCP_REQUEST(listeners_are_over);
	MCP_REQUEST(listeners_are_over) = true;
}

void php_mcp_pool_listener_unsilence(void) {
	MCP_REQUEST(listeners_are_over) = MCP_REQUEST(listeners_were_over);
}

/* Running methods are those that run user code, in any Fiber, and those on the stack. An open session counts, too,
 * because its write uses the CAS value of its read. */

static bool is_one_below(const zend_execute_data *frame) {
	for (frame = frame->prev_execute_data; frame != NULL; frame = frame->prev_execute_data) {
		const zend_module_entry *module =
			frame->func != NULL && frame->func->type == ZEND_INTERNAL_FUNCTION
			? frame->func->internal_function.module
			: NULL;
		if (module != NULL && strcmp(module->name, mcpatterns_module_entry.name) == 0) {
			return true;
		}
	}
	return false;
}

/* A method of this module in which an interrupt is handled counts as running user code. */
void php_mcp_pool_listener_renew_servers(void) {
	const zend_execute_data *top = EG(current_execute_data);
	if (!MCP_REQUEST(servers_are_outdated)) {
		return;
	}
	if (MCP_REQUEST(user_calls) > 0 || MCP_REQUEST(open_sessions) != NULL ||
		(top != NULL && is_one_below(top))) {
		php_mcp_method_end_ask();
		return;
	}
	MCP_REQUEST(servers_are_outdated) = false;
	if (EG(exception) == NULL || !php_mcp_user_call_is_exiting()) {
		mcp_exception_aside aside;
		php_mcp_exception_put_aside(&aside);
		php_mcp_pool_renew_all();
		php_mcp_exception_put_back(&aside);
	}
}
