/* Answers PHP's session module in the order in which that asks. A failure is a warning with its reason before PHP's own
 * and never a guess: a server that could not be asked is no empty session. */
/* SPDX-License-Identifier: MIT */
#include "save_handler.h"

#include "open_session.h"
#include "php_mcpatterns.h"
#include "session_module.h"
#include "session_trouble.h"
#include "../metrics/meters.h"
#include "../host/user.h"

#ifdef MCP_HAS_SESSION_HEADERS

#define DRAWS_MAX 16

/* Lives from open to close, behind PHP's mod_data. */
typedef struct handling {
	mcp_session_terms terms;
	mcp_open_session open;
	zend_string *created; /* an id of ours that was not read yet; a reference, or NULL */
	bool has_answer;      /* the open session was started by validate: `answer` is for read */
	mcp_status answer;
} handling;

static handling *handling_of(void **mod_data) {
	return *mod_data;
}

/* Takes over the text. An exception that stands says more. */
static zend_result warn(zend_string *text) {
	if (EG(exception) == NULL) {
		php_error_docref(NULL, E_WARNING, "mcpatterns: %s", ZSTR_VAL(text));
	}
	zend_string_release(text);
	return FAILURE;
}

static zend_result warn_of_start(const handling *self, mcp_status status) {
	if (status == MCP_INTERRUPTED) {
		return FAILURE;
	}
	return warn(php_mcp_session_trouble_of_start(&self->open, status).text);
}

/* --- open and close --- */

static void set_created(handling *self, zend_string *id) {
	if (self->created != NULL) {
		zend_string_release(self->created);
	}
	self->created = id != NULL ? zend_string_copy(id) : NULL;
}

/* Begins the request where this is called before it: by session.auto_start and for uploads. */
static void begin_request(void) {
	php_mcp_meters_begin_request();
	php_mcp_user_begin_request();
}

/* Keeps what is held, where PHP opens without having closed: session_reset() reads it again. */
static PS_OPEN_FUNC(mcpatterns) {
	(void)session_name;
	if (*mod_data != NULL) {
		handling_of(mod_data)->has_answer = false;
		return SUCCESS;
	}
	begin_request();
	const php_ps_globals *session = php_mcp_session_module_globals();
	const char *format = session->serializer != NULL ? session->serializer->name : NULL;
	mcp_session_terms terms;
	if (!php_mcp_session_terms_of_settings(&terms, save_path, format, session->gc_maxlifetime)) {
		return FAILURE;
	}
	handling *self = ecalloc(1, sizeof(*self));
	self->terms = terms;
	*mod_data = self;
	return SUCCESS;
}

static PS_CLOSE_FUNC(mcpatterns) {
	handling *self = handling_of(mod_data);
	if (self == NULL) {
		return SUCCESS;
	}
	*mod_data = NULL;
	php_mcp_open_session_end(&self->open);
	set_created(self, NULL);
	php_mcp_session_terms_free(&self->terms);
	efree(self);
	return SUCCESS;
}

/* --- ids --- */

static bool is_any_server_well(const handling *self) {
	mcp_store *store = php_mcp_pool_store(self->terms.pool);
	for (size_t i = 0; i < mcp_store_member_count(store); i++) {
		if (!mcp_store_is_left_alone(mcp_store_member(store, i))) {
			return true;
		}
	}
	return false;
}

static bool is_left_alone(const handling *self, const zend_string *id) {
	return mcp_store_is_left_alone(php_mcp_open_session_owner_of(&self->terms, id));
}

/* Draws again while its server is left alone: new sessions begin where one answers. */
static PS_CREATE_SID_FUNC(mcpatterns) {
	handling *self = handling_of(mod_data);
	zend_string *id = php_mcp_session_module_create_id();
	if (self == NULL || id == NULL) {
		return id;
	}
	for (int draw = 1; draw < DRAWS_MAX && is_left_alone(self, id); draw++) {
		if (!is_any_server_well(self)) {
			break;
		}
		zend_string_release(id);
		id = php_mcp_session_module_create_id();
		if (id == NULL) {
			return NULL;
		}
	}
	set_created(self, id);
	return id;
}

static bool is_created(const handling *self, const zend_string *id) {
	return self->created != NULL && zend_string_equals(self->created, id);
}

/* Starts it, unless validate has; `answer` then says what came of it. */
static void start(handling *self, zend_string *id) {
	if (!php_mcp_open_session_is(&self->open, id)) {
		php_mcp_open_session_end(&self->open);
		php_mcp_open_session_begin(&self->open, &self->terms, id);
		self->has_answer = false;
	}
	if (!self->has_answer) {
		self->answer = php_mcp_open_session_start(&self->open, is_created(self, id));
		self->has_answer = true;
	}
}

/* Looks at a session while another one is open. One that could not be asked for may be there. */
static zend_result look_at_other(const handling *self, zend_string *id) {
	mcp_open_session other;
	php_mcp_open_session_begin(&other, &self->terms, id);
	mcp_status status = php_mcp_open_session_look(&other);
	bool is_there = status != MCP_OK || mcp_session_is_there(&other.known);
	php_mcp_open_session_end(&other);
	return is_there ? SUCCESS : FAILURE;
}

/* Says no where it is known that there is none (E18): a server that could not be asked is no such answer (E15). */
static PS_VALIDATE_SID_FUNC(mcpatterns) {
	handling *self = handling_of(mod_data);
	if (is_created(self, key) || (self->terms.fails_over && is_left_alone(self, key))) {
		return FAILURE;
	}
	if (self->open.id != NULL && !php_mcp_open_session_is(&self->open, key)) {
		return look_at_other(self, key);
	}
	start(self, key);
	if (self->answer != MCP_OK || mcp_session_is_there(&self->open.known)) {
		return SUCCESS;
	}
	php_mcp_open_session_end(&self->open);
	return FAILURE;
}

/* --- read and write --- */

static PS_READ_FUNC(mcpatterns) {
	handling *self = handling_of(mod_data);
	(void)maxlifetime;
	start(self, key);
	self->has_answer = false;
	set_created(self, NULL);
	if (self->answer != MCP_OK) {
		return warn_of_start(self, self->answer);
	}
	const mcp_session_known *known = &self->open.known;
	*val = mcp_session_has_data(known)
		? zend_string_init(known->data.data, known->data.length, false)
		: ZSTR_EMPTY_ALLOC();
	return SUCCESS;
}

/* Tells the log, once for each request: an error of PHP's would become an exception in many applications. */
static void log_conflicts(unsigned conflicts) {
	if (conflicts > 0 && !MCP_G(has_told_conflicts)) {
		char line[160];
		snprintf(line, sizeof(line),
			"mcpatterns: %u key%s of a session %s changed by two requests that ran side by side;"
			" the later one's value was stored",
			conflicts, conflicts > 1 ? "s" : "", conflicts > 1 ? "were" : "was");
		MCP_G(has_told_conflicts) = true;
		php_log_err(line);
	}
}

static zend_result conclude(const handling *self, const mcp_session_report *report,
	mcp_bytes data) {
	log_conflicts(report->conflicts);
	if (report->outcome == MCP_SESSION_STORED || report->outcome == MCP_SESSION_DROPPED) {
		return SUCCESS;
	}
	return warn(php_mcp_session_trouble_of_write(&self->open, report, data).text);
}

/* Says whether there is something to store: elements with numbers are none in most of PHP's formats. */
static bool has_named_element(void) {
	zval *variables = &php_mcp_session_module_globals()->http_session_vars;
	ZVAL_DEREF(variables);
	zend_string *name;
	if (Z_TYPE_P(variables) == IS_ARRAY) {
		ZEND_HASH_FOREACH_STR_KEY(Z_ARRVAL_P(variables), name) {
			if (name != NULL) {
				return true;
			}
		}
		ZEND_HASH_FOREACH_END();
	}
	return false;
}

/* Ends another session than the one that is to be written; PHP has none open then but by mistake. */
static void make_open(handling *self, zend_string *id) {
	if (!php_mcp_open_session_is(&self->open, id)) {
		start(self, id);
		self->has_answer = false;
	}
}

static PS_WRITE_FUNC(mcpatterns) {
	handling *self = handling_of(mod_data);
	mcp_bytes data = mcp_bytes_of(ZSTR_VAL(val), ZSTR_LEN(val));
	mcp_session_report report;
	(void)maxlifetime;
	make_open(self, key);
	if (data.length == 0 && has_named_element()) {
		return warn(zend_strpprintf(0,
			"$_SESSION cannot be encoded (a name with \"|\"): the session stays as it was"));
	}
	php_mcp_open_session_write(&self->open, data, &report);
	return conclude(self, &report, data);
}

static PS_UPDATE_TIMESTAMP_FUNC(mcpatterns) {
	handling *self = handling_of(mod_data);
	mcp_bytes data = mcp_bytes_of(ZSTR_VAL(val), ZSTR_LEN(val));
	mcp_session_report report;
	(void)maxlifetime;
	make_open(self, key);
	php_mcp_open_session_write(&self->open, data, &report);
	return conclude(self, &report, data);
}

static zend_result destroy_other(handling *self, zend_string *id) {
	handling other = {.terms = self->terms};
	mcp_session_report report;
	php_mcp_open_session_begin(&other.open, &self->terms, id);
	mcp_status status = php_mcp_open_session_look(&other.open);
	zend_result result = FAILURE;
	if (status == MCP_OK || status == MCP_FOREIGN) {
		php_mcp_open_session_destroy(&other.open, &report);
		result = conclude(&other, &report, mcp_bytes_of("", 0));
	} else {
		warn_of_start(&other, status);
	}
	php_mcp_open_session_end(&other.open);
	return result;
}

static PS_DESTROY_FUNC(mcpatterns) {
	handling *self = handling_of(mod_data);
	mcp_session_report report;
	if (!php_mcp_open_session_is(&self->open, key)) {
		return destroy_other(self, key);
	}
	php_mcp_open_session_destroy(&self->open, &report);
	return conclude(self, &report, mcp_bytes_of("", 0));
}

/* Leaves it to memcached, which ends what is too old. */
static PS_GC_FUNC(mcpatterns) {
	(void)mod_data;
	(void)maxlifetime;
	*nrdels = 0;
	return 0;
}

static const ps_module handler = {PS_MOD_UPDATE_TIMESTAMP(mcpatterns)};

void php_mcp_save_handler_register(void) {
	php_mcp_session_module_register(&handler);
}

/* Catches a limit that the writing runs into, as PHP's session module does: the rest of the request's end is to come. */
void php_mcp_save_handler_end_request(void) {
	if (!php_mcp_session_module_is_here()) {
		return;
	}
	const php_ps_globals *session = php_mcp_session_module_globals();
	if (session->session_status == php_session_active && session->mod == &handler) {
		zend_try {
			php_mcp_session_module_flush();
		}
		zend_end_try();
	}
}

#else

void php_mcp_save_handler_register(void) {
}

void php_mcp_save_handler_end_request(void) {
}

#endif
