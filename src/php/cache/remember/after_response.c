/* A hidden shutdown function that runs last, ends the response, and then runs the queued rebuilds under their
 * claims. */
/* SPDX-License-Identifier: MIT */
#include "after_response.h"

#include "../../engine/bailout.h"
#include "../../engine/compat.h"
#include "../../engine/user_call.h"
#include "../value/cache_value.h"
#include "php_mcpatterns.h"
#include "remember_call.h"

#include "SAPI.h"
#include "Zend/zend_closures.h"
#include "Zend/zend_exceptions.h"
#include "Zend/zend_ini.h"
#include "ext/standard/basic_functions.h"
#include "main/php_main.h"
#include "main/php_output.h"

/* Maximum number of times that the function moves itself to the end. Two libraries that both want to be last would
 * otherwise move themselves forever. */
#define TIMES_LAST_MAX 32

/* A queued rebuild. Owns references to everything that it needs. */
typedef struct refresh_job {
	mcp_remember_call remembering;
	struct refresh_job *next;
} refresh_job;

/* The queue of one request, in the module globals. */
struct mcp_after_response {
	refresh_job *first, *last;
	zend_ulong position; /* position of our entry among the shutdown functions */
	uint32_t times_last;
	bool ends_response; /* false: a script of the command line, without a response */
	bool is_running;
};

static void (*following)(void);

void php_mcp_after_response_follow(void (*work)(void)) {
	following = work;
}

static const char *const FINISHERS[] = {
	"fastcgi_finish_request",
	"litespeed_finish_request",
	"frankenphp_finish_request",
};

static zend_function *find_function(const char *name) {
	return zend_hash_str_find_ptr(EG(function_table), name, strlen(name));
}

static zend_function *find_finisher(void) {
	for (size_t i = 0; i < sizeof(FINISHERS) / sizeof(FINISHERS[0]); i++) {
		zend_function *finisher = find_function(FINISHERS[i]);
		if (finisher != NULL && finisher->type == ZEND_INTERNAL_FUNCTION) {
			return finisher;
		}
	}
	return NULL;
}

/* Detect a FrankenPHP worker. For PHP, all its requests are one request, so a queued rebuild would run only when the
 * worker ends. Only the worker script itself starts with this variable. */
void php_mcp_after_response_begin_request(void) {
	MCP_REQUEST(is_worker) = false;
	if (strcmp(sapi_module.name, "frankenphp") != 0) {
		return;
	}
	zend_is_auto_global_str(ZEND_STRL("_SERVER"));
	zval *server = &PG(http_globals)[TRACK_VARS_SERVER];
	MCP_REQUEST(is_worker) = Z_TYPE_P(server) == IS_ARRAY &&
		zend_hash_str_exists(Z_ARRVAL_P(server), ZEND_STRL("FRANKENPHP_WORKER"));
}

bool php_mcp_after_response_is_possible(void) {
	const mcp_after_response *state = MCP_REQUEST(after_response);
	bool is_running = state != NULL && state->is_running;
	return !is_running && !CG(unclean_shutdown) && find_finisher() != NULL &&
		!MCP_REQUEST(is_worker);
}

/* --- running --- */

void php_mcp_after_response_contain(const char *doing, const char *what) {
	zend_object *exception = EG(exception);
	if (php_mcp_user_call_is_exit(exception)) {
		zend_clear_exception();
		return;
	}
	GC_ADDREF(exception);
	zend_clear_exception();
	zval buffer;
	zend_string *text =
		zval_get_string(php_mcp_exception_property_read(exception, ZEND_STR_MESSAGE, &buffer));
	zend_string *line = strpprintf(0, "mcpatterns: %s \"%s\" after the response failed: %s: %s",
		doing, what, ZSTR_VAL(exception->ce->name), ZSTR_VAL(text));
	php_log_err(ZSTR_VAL(line));
	zend_string_release(line);
	zend_string_release(text);
	OBJ_RELEASE(exception);
	zend_clear_exception();
}

static void call_and_contain(const char *name, zend_function *function) {
	zval result;
	ZVAL_UNDEF(&result);
	zend_call_known_function(function, NULL, NULL, &result, 0, NULL, NULL);
	zval_ptr_dtor(&result);
	php_mcp_after_response_contain("calling", name);
}

/* End the session and the response. The session's lock would delay the user's next request. Session handlers and
 * output callbacks are user code, and the response must end even if they throw. */
static void end_response(void) {
	/* Ignore a disconnected client, because the engine would otherwise end the script at the first byte that a
	 * callback prints or flushes. The setting is restored at request end. */
	zend_string *name = zend_string_init(ZEND_STRL("ignore_user_abort"), false);
	zend_alter_ini_entry_chars_ex(name, ZEND_STRL("1"), PHP_INI_USER, PHP_INI_STAGE_RUNTIME, true);
	zend_string_release(name);
	zend_function *close = find_function("session_write_close");
	if (close != NULL) {
		call_and_contain("session_write_close", close);
	}
	php_output_end_all();
	php_mcp_after_response_contain("flushing", "output buffers");
	zend_function *finisher = find_finisher();
	if (finisher != NULL) {
		call_and_contain(ZSTR_VAL(finisher->common.function_name), finisher);
	}
	php_output_set_status(PHP_OUTPUT_DISABLED);
}

/* Renew the claim if it is still the newest, because the request can take longer than the lease. */
static bool renew_claim(mcp_remember_call *remembering) {
	mcp_held_claim *held = php_mcp_remember_call_usable_claim(remembering);
	if (held == NULL) {
		return false;
	}
	mcp_cache_call call;
	php_mcp_remember_call_renew(remembering, &call);
	mcp_status status = mcp_cache_rearm(&call.cache, &call.key, &held->claim);
	if (status == MCP_NOT_STORED) {
		held->is_overtaken = true; /* by another process, so there is nothing to release */
	}
	remembering->claim = held->claim;
	return status == MCP_OK;
}

static void run_job(refresh_job *job) {
	mcp_remember_call *remembering = &job->remembering;
	if (!renew_claim(remembering)) {
		/* Release the claim, because it can exist on the server although the reply was lost. */
		php_mcp_remember_call_abandon(remembering, false);
		return;
	}
	php_mcp_cache_object_tally(remembering->object, MCP_COUNT_AFTER_RESPONSE, 1);
	zval computed;
	ZVAL_UNDEF(&computed);
	php_mcp_remember_call_compute(remembering, &computed);
	zval_ptr_dtor(&computed);
	php_mcp_bailout_raise();
	if (!php_mcp_user_call_is_exit(EG(exception))) {
		mcp_cache_call call;
		php_mcp_remember_call_renew(remembering, &call);
		php_mcp_cache_value_report_failure(remembering->object, MCP_ERROR_KIND_COMPUTATION,
			&call.key, remembering->name);
	}
	php_mcp_after_response_contain("computing", ZSTR_VAL(remembering->name));
}

static void free_job(refresh_job *job) {
	mcp_remember_call *remembering = &job->remembering;
	php_mcp_remember_call_release(remembering);
	php_mcp_user_call_release(&remembering->compute);
	php_mcp_user_call_release(&remembering->ttl_of);
	php_mcp_user_call_release(&remembering->tags_of);
	zend_string_release(remembering->name);
	OBJ_RELEASE(&remembering->object->std);
	efree(job);
}

static refresh_job *take_first(mcp_after_response *state) {
	refresh_job *job = state->first;
	if (job != NULL) {
		state->first = job->next;
		state->last = state->first != NULL ? state->last : NULL;
	}
	return job;
}

/* --- the hidden function: it must be the last shutdown function --- */

static ZEND_FUNCTION(after_response);

/* Replaces the queue after the shutdown functions, when user code such as a session handler can still run. It is
 * never written, because the queue is closed. */
static mcp_after_response request_is_over = {.is_running = true};

/* This function is in no function table, so that user code cannot name it. Written at startup. */
static zend_internal_function hidden_function;

void php_mcp_after_response_register(void) {
	static const char name[] = "McPatterns\\{after response}";
	hidden_function = (zend_internal_function){
		.type = ZEND_INTERNAL_FUNCTION,
		.handler = ZEND_FN(after_response),
		.function_name = zend_string_init_interned(name, sizeof(name) - 1, true),
		.module = &mcpatterns_module_entry,
	};
}

static bool append_entry(mcp_after_response *state) {
	php_shutdown_function_entry entry;
	zval closure;
	zend_create_closure(&closure, (zend_function *)&hidden_function, NULL, NULL, NULL);
	if (!php_mcp_compat_fill_entry(&entry, &closure) || !append_user_shutdown_function(&entry)) {
		zval_ptr_dtor(&closure);
		return false;
	}
	state->position = zend_hash_num_elements(BG(user_shutdown_function_names)) - 1;
	return true;
}

/* After a fatal error, no rebuild runs, and the claims are released at request end. */
static bool was_fatal(void) {
	return CG(unclean_shutdown) ||
		(PG(last_error_message) != NULL &&
			(PG(last_error_type) &
				(E_ERROR | E_CORE_ERROR | E_COMPILE_ERROR | E_USER_ERROR | E_RECOVERABLE_ERROR)) !=
				0);
}

static ZEND_FUNCTION(after_response) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_after_response *state = MCP_REQUEST(after_response);
	if (state == NULL || was_fatal()) {
		return;
	}
	/* The application's shutdown functions run first, because their output belongs to the response. */
	bool is_last = zend_hash_num_elements(BG(user_shutdown_function_names)) == state->position + 1;
	if (!is_last && state->times_last++ < TIMES_LAST_MAX && append_entry(state)) {
		return;
	}
	if (state->ends_response) {
		end_response();
	}
	state->is_running = true;
	refresh_job *job;
	while ((job = take_first(state)) != NULL) {
		run_job(job);
		php_mcp_bailout_raise();
		free_job(job);
	}
	following();
}

/* --- queueing --- */

static mcp_after_response *begin_queue(void) {
	mcp_after_response *state = ecalloc(1, sizeof(*state));
	if (!append_entry(state)) {
		efree(state);
		return NULL;
	}
	MCP_REQUEST(after_response) = state;
	return state;
}

/* Copy the call, so that the job does not depend on the caller's stack or arguments. */
static refresh_job *copy_job(const mcp_remember_call *remembering) {
	refresh_job *copy = ecalloc(1, sizeof(*copy));
	copy->remembering = *remembering;
	copy->remembering.entry = NULL; /* the caller's variable has received the stale value */
	copy->remembering.stale_on_error = false;
	copy->remembering.is_unheard = true;
	copy->remembering.old_payload = php_mcp_remember_call_wants_entry(remembering)
		? zend_string_copy(remembering->old_payload)
		: NULL;
	copy->remembering.undecodable = NULL;
	if (remembering->tags != NULL) {
		zend_string_addref(remembering->tags);
	}
	GC_ADDREF(&remembering->object->std);
	zend_string_addref(remembering->name);
	php_mcp_user_call_keep(&copy->remembering.compute);
	php_mcp_user_call_keep(&copy->remembering.ttl_of);
	php_mcp_user_call_keep(&copy->remembering.tags_of);
	return copy;
}

bool php_mcp_after_response_queue(const mcp_remember_call *remembering) {
	mcp_after_response *state = MCP_REQUEST(after_response);
	state = state != NULL ? state : begin_queue();
	if (state == NULL) {
		return false;
	}
	state->ends_response = true;
	refresh_job *job = copy_job(remembering);
	if (state->last != NULL) {
		state->last->next = job;
	} else {
		state->first = job;
	}
	state->last = job;
	return true;
}

void php_mcp_after_response_expect(void) {
	bool is_possible = php_mcp_after_response_is_possible();
	if (MCP_REQUEST(after_response) == NULL &&
		(is_possible || strcmp(sapi_module.name, "cli") == 0)) {
		begin_queue();
	}
	if (is_possible && MCP_REQUEST(after_response) != NULL) {
		MCP_REQUEST(after_response)->ends_response = true;
	}
}

void php_mcp_after_response_reset(void) {
	mcp_after_response *state = MCP_REQUEST(after_response);
	MCP_REQUEST(after_response) = &request_is_over;
	if (state == NULL || state == &request_is_over) {
		return;
	}
	refresh_job *job;
	while ((job = take_first(state)) != NULL) {
		free_job(job);
	}
	efree(state);
}
