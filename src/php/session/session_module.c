/* Session handling for PHP's session module and SessionHandler: the save handler, messages, and access to PHP's
 * session module by symbol names. */
/* SPDX-License-Identifier: MIT */
#include "session_module.h"

#include "../../core/session/session_parts.h"
#include "../engine/bailout.h"
#include "../engine/compat.h"
#include "../metrics/meters.h"
#include "../objects/failure.h"
#include "../value/peer_module.h"
#include "php_ini.h"
#include "php_mcpatterns.h"

#if defined(__has_include)
#if __has_include("ext/session/php_session.h")
#include "ext/session/php_session.h"
#define MCP_HAS_SESSION_HEADERS
#endif
#endif

#ifdef MCP_HAS_SESSION_HEADERS

/* Set in MINIT only. */
static struct {
	const zend_module_entry *entry; /* NULL: not loaded */
	zend_string *(*create_id)(PS_CREATE_SID_ARGS);
	zend_result (*flush)(int write);
} session_extension;

static php_ps_globals *globals_of_sessions(void) {
#ifdef ZTS
	return TSRMG_BULK(*session_extension.entry->globals_id_ptr, php_ps_globals *);
#else
	return session_extension.entry->globals_ptr;
#endif
}

static void enlist_handler(const ps_module *handler) {
	zend_result (*enlist)(const ps_module *) =
		(zend_result(*)(const ps_module *))php_mcp_peer_module_function("session",
			"php_session_register_module");
	session_extension.create_id = (zend_string * (*)(PS_CREATE_SID_ARGS))
		php_mcp_peer_module_function("session", "php_session_create_id");
	session_extension.flush =
		(zend_result(*)(int))php_mcp_peer_module_function("session", "php_session_flush");
	if (enlist == NULL || session_extension.create_id == NULL || session_extension.flush == NULL ||
		enlist(handler) != SUCCESS) {
		return;
	}
	session_extension.entry = zend_hash_str_find_ptr(&module_registry, ZEND_STRL("session"));
	/* Select the handler if php.ini names it. The session module read the setting before the handler existed, and would
	 * look the handler up again only at request start, after the first report of an upload. */
	php_ps_globals *globals = globals_of_sessions();
	const char *name = zend_ini_string_literal("session.save_handler");
	if (globals->mod == NULL && name != NULL && strcmp(name, handler->s_name) == 0) {
		globals->mod = handler;
	}
}

static zend_string *draw_id(void) {
	return session_extension.create_id(NULL);
}

bool php_mcp_session_module_is_here(void) {
	return session_extension.entry != NULL;
}

#else

static zend_string *draw_id(void) {
	return NULL;
}

bool php_mcp_session_module_is_here(void) {
	return false;
}

#endif

/* One function for each kind of failure. Server failures use the common messages. */

#define STAYS "the stored session was kept"

/* Writes "<what> 127.0.0.1:11211: the server could not be reached: connection refused". */
static zend_string *describe_server(const mcp_open_session *session, mcp_status status,
	const char *what) {
	mcp_store *server = session->known.failed;
	server = server != NULL ? server : php_mcp_open_session_owner_of(session->options, session->id);
	zend_string *reason = php_mcp_failure_describe(status, mcp_store_last_failure(server));
	zend_string *text = zend_strpprintf(0, "%s %s: %s", what, server->address, ZSTR_VAL(reason));
	zend_string_release(reason);
	return text;
}

static zend_string *describe_wait(const mcp_open_session *session) {
	const mcp_session_known *known = &session->known;
	zend_string *holder = known->holder.length > 0
		? php_mcp_open_session_show_owner(mcp_bytes_of(known->holder.data, known->holder.length),
			  known->held_for_ms)
		: NULL;
	zend_string *text = zend_strpprintf(0, "the session is locked by %s; gave up after %g s",
		holder != NULL ? ZSTR_VAL(holder) : "another request",
		(double)session->options->pattern.wait_ms / 1000);
	if (holder != NULL) {
		zend_string_release(holder);
	}
	return text;
}

static zend_string *describe_obstacle(const mcp_open_session *session) {
	switch (session->known.obstacle) {
		case MCP_SESSION_OF_OTHER_FORMAT:
			return zend_strpprintf(0,
				"the session was written by serialize_handler %s, and session.serialize_handler is %s; " STAYS,
				php_mcp_open_session_format_name(session->known.head.format),
				php_mcp_open_session_format_name(session->options->pattern.format));
		case MCP_SESSION_OF_LATER_VERSION:
			return zend_strpprintf(0,
				"the session was written by a later version of mcpatterns; " STAYS);
		default:
			return zend_strpprintf(0,
				"the session is compressed, and this host cannot decompress it (the compressor"
				" is not built in, or mcpatterns.decompress_limit or memory_limit is too low); " STAYS);
	}
}

/* Describe why the session could not be started. `status` is not MCP_OK. */
static mcp_session_trouble trouble_of_start(const mcp_open_session *session, mcp_status status) {
	switch (status) {
		case MCP_NOT_STORED:
			return (mcp_session_trouble){php_mcp_lock_timeout_exception, describe_wait(session)};
		case MCP_FOREIGN:
			return (mcp_session_trouble){php_mcp_stored_value_exception,
				describe_obstacle(session)};
		default:
			return (mcp_session_trouble){php_mcp_server_exception,
				describe_server(session, status, "the session could not be read on")};
	}
}

/* Returns the key as scripts know it, without the syntax of serialize(). */
static mcp_bytes name_of_part(const mcp_session_part *part, mcp_session_format format) {
	const char *quote =
		format == MCP_SESSION_PHP_SERIALIZE ? memchr(part->key.data, '"', part->key.length) : NULL;
	if (quote == NULL) {
		return part->key;
	}
	size_t skipped = (size_t)(quote - part->key.data) + 1;
	return mcp_bytes_of(part->key.data + skipped, part->key.length - skipped - strlen("\";"));
}

/* `part`: the first part. */
static zend_string *show_largest(const mcp_session_part *part, mcp_session_format format) {
	const mcp_session_part *largest = part;
	for (; part != NULL; part = part->next) {
		largest = part->value.length > largest->value.length ? part : largest;
	}
	zend_string *shown = php_mcp_failure_show_name(name_of_part(largest, format));
	zend_string *text =
		zend_strpprintf(0, " (largest: \"%s\", %zu)", ZSTR_VAL(shown), largest->value.length);
	zend_string_release(shown);
	return text;
}

/* Writes ' (largest: "cart", 1200000)', or nothing. */
static zend_string *describe_largest(mcp_session_format format, mcp_bytes data) {
	mcp_buffer memory = {0};
	zend_string *text = NULL;
	for (size_t size = 65536; text == NULL && mcp_buffer_reserve(&memory, size);) {
		mcp_session_arena arena = mcp_session_arena_of(memory.data, memory.capacity);
		mcp_session_parts parts;
		bool is_apart = mcp_session_parts_take(&parts, &arena, format, data);
		if (is_apart && parts.first != NULL) {
			text = show_largest(parts.first, format);
		} else if (is_apart || !mcp_session_arena_is_short(&arena)) {
			break;
		}
		size = 2 * arena.wanted;
	}
	mcp_buffer_free(&memory);
	return text != NULL ? text : ZSTR_EMPTY_ALLOC();
}

static zend_string *describe_size(const mcp_open_session *session, const mcp_session_report *report,
	mcp_bytes data) {
	mcp_store *store = php_mcp_pool_store(session->options->pool);
	size_t most = mcp_store_item_max(store, &session->kept.key, report->size);
	zend_string *largest = describe_largest(session->options->pattern.format, data);
	zend_string *text = zend_strpprintf(0, "the session has %zu bytes, the limit is %zu%s; " STAYS,
		report->size, most, ZSTR_VAL(largest));
	zend_string_release(largest);
	return text;
}

/* Describe why the session was not stored. The outcome is neither MCP_SESSION_STORED nor MCP_SESSION_DROPPED. */
static mcp_session_trouble trouble_of_write(const mcp_open_session *session,
	const mcp_session_report *report, mcp_bytes data) {
	zend_string *text;
	switch (report->outcome) {
		case MCP_SESSION_TOO_LARGE:
			text = describe_size(session, report, data);
			return (mcp_session_trouble){php_mcp_too_large_exception, text};
		case MCP_SESSION_UNMERGEABLE:
			text = zend_strpprintf(0,
				"another request changed the session, and the changes cannot be merged (%s);"
				" those of this request were discarded",
				report->reason != NULL ? report->reason : "out of memory");
			return (mcp_session_trouble){php_mcp_stored_value_exception, text};
		case MCP_SESSION_LOST:
			text = zend_strpprintf(0, "the server lost the session while this request ran");
			break;
		case MCP_SESSION_BEGUN_ANEW:
			text = zend_strpprintf(0,
				"the server lost the session while this request ran, and another request started it again");
			break;
		case MCP_SESSION_NOT_KNOWN:
			/* The text of MCP_UNKNOWN would repeat "outcome unknown". */
			text = describe_server(session,
				report->status == MCP_UNKNOWN ? MCP_TIMEOUT : report->status,
				"outcome unknown: session write to");
			break;
		default:
			text = describe_server(session, report->status, "the session could not be stored on");
	}
	return (mcp_session_trouble){php_mcp_server_exception, text};
}

#define DRAWS_MAX 16

static bool is_id(const zend_string *kept, const zend_string *id) {
	return kept != NULL && zend_string_equals(kept, id);
}

static void replace(zend_string **kept, zend_string *by) {
	if (*kept != NULL) {
		zend_string_release(*kept);
	}
	*kept = by != NULL ? zend_string_copy(by) : NULL;
}

void php_mcp_session_module_keep(mcp_session_handling *self, zend_string *id, zend_string *data) {
	replace(&self->written_id, id);
	replace(&self->written, data);
	self->was_dropped = self->was_dropped && id != NULL;
}

/* An id that was issued is valid from its first read, even if its session is never written (E18). */
void php_mcp_session_module_close(mcp_session_handling *self) {
	mcp_session_report report;
	if (self->open.is_issued) {
		php_mcp_open_session_write(&self->open, mcp_bytes_of("", 0), &report);
	}
	php_mcp_open_session_end(&self->open);
	replace(&self->created, NULL);
	self->has_answer = false;
}

/* --- ids --- */

static bool is_any_server_well(const mcp_session_handling *self) {
	mcp_store *store = php_mcp_pool_store(self->options.pool);
	for (size_t i = 0; i < mcp_store_member_count(store); i++) {
		if (!mcp_store_is_tripped(mcp_store_member(store, i))) {
			return true;
		}
	}
	return false;
}

static bool is_tripped(const mcp_session_handling *self, const zend_string *id) {
	return mcp_store_is_tripped(php_mcp_open_session_owner_of(&self->options, id));
}

zend_string *php_mcp_session_module_create_id(mcp_session_handling *self) {
	zend_string *id = draw_id();
	for (int draw = 1; id != NULL && draw < DRAWS_MAX && is_tripped(self, id); draw++) {
		if (!is_any_server_well(self)) {
			break;
		}
		zend_string_release(id);
		id = draw_id();
	}
	replace(&self->created, id);
	return id;
}

/* Start the session unless validate has started it. `answer` is the result. */
static void start(mcp_session_handling *self, zend_string *id) {
	if (!php_mcp_open_session_is(&self->open, id)) {
		php_mcp_open_session_end(&self->open);
		php_mcp_open_session_begin(&self->open, &self->options, id);
		self->has_answer = false;
	}
	if (!self->has_answer) {
		self->answer = php_mcp_open_session_start(&self->open, is_id(self->created, id));
		self->has_answer = true;
		self->was_dropped = self->was_dropped && !is_id(self->written_id, id);
	}
}

/* Check a session while another one is open. If the server cannot be reached, the session might exist. */
static bool is_other_there(const mcp_session_handling *self, zend_string *id) {
	mcp_open_session other;
	php_mcp_open_session_begin(&other, &self->options, id);
	mcp_status status = php_mcp_open_session_peek(&other);
	bool is_there = status != MCP_OK || mcp_session_is_there(&other.known);
	php_mcp_open_session_end(&other);
	return is_there;
}

bool php_mcp_session_module_validate(mcp_session_handling *self, zend_string *id) {
	if (is_id(self->created, id) || (self->options.fails_over && is_tripped(self, id))) {
		return false;
	}
	if (self->open.id != NULL && !php_mcp_open_session_is(&self->open, id)) {
		return is_other_there(self, id);
	}
	start(self, id);
	if (self->answer != MCP_OK || self->open.is_issued || mcp_session_is_there(&self->open.known)) {
		return true;
	}
	php_mcp_open_session_end(&self->open);
	return false;
}

/* --- read, write and destroy --- */

mcp_session_trouble php_mcp_session_module_read(mcp_session_handling *self, zend_string *id,
	mcp_bytes *data) {
	start(self, id);
	self->has_answer = false;
	replace(&self->created, NULL);
	if (self->answer != MCP_OK) {
		return trouble_of_start(&self->open, self->answer);
	}
	const mcp_session_known *known = &self->open.known;
	bool has_data = mcp_session_has_data(known) && known->data.length > 0;
	*data = has_data ? mcp_bytes_of(known->data.data, known->data.length) : mcp_bytes_of("", 0);
	return (mcp_session_trouble){0};
}

/* Write to the log, once per request: many applications turn PHP errors into exceptions. */
static void log_conflicts(unsigned conflicts) {
	if (conflicts > 0 && !MCP_REQUEST(has_logged_conflicts)) {
		zend_string *line = zend_strpprintf(0,
			"mcpatterns: %u key%s of a session %s changed by 2 concurrent requests;"
			" the later value was stored",
			conflicts, conflicts > 1 ? "s" : "", conflicts > 1 ? "were" : "was");
		MCP_REQUEST(has_logged_conflicts) = true;
		php_log_err(ZSTR_VAL(line));
		zend_string_release(line);
	}
}

void php_mcp_session_module_end_log(void) {
	MCP_REQUEST(has_logged_conflicts) = false;
}

static mcp_session_trouble conclude_session_write(const mcp_open_session *open,
	const mcp_session_report *report, mcp_bytes data) {
	log_conflicts(report->conflicts);
	bool is_done = report->outcome == MCP_SESSION_STORED || report->outcome == MCP_SESSION_DROPPED;
	return is_done ? (mcp_session_trouble){0} : trouble_of_write(open, report, data);
}

/* Returns the data that a write without a read is based on. */
static mcp_bytes base_of(const mcp_session_handling *self, const zend_string *id) {
	return is_id(self->written_id, id)
		? mcp_bytes_of(ZSTR_VAL(self->written), ZSTR_LEN(self->written))
		: mcp_bytes_of("", 0);
}

/* Checks whether another request has destroyed the session since its last write, or has created it again after a
 * loss. */
static mcp_session_outcome end_since(const mcp_session_handling *self, const zend_string *id,
	const mcp_session_known *found) {
	bool is_there = found->kind == MCP_SESSION_VALUE || found->kind == MCP_SESSION_PLACEHOLDER;
	bool is_another = is_there && found->birth != self->written_birth;
	if (!is_id(self->written_id, id) || (!is_another && found->kind != MCP_SESSION_TOMBSTONE)) {
		return MCP_SESSION_STORED;
	}
	bool was_destroyed = !is_there || found->head.is_over_tombstone;
	return was_destroyed ? MCP_SESSION_DROPPED : MCP_SESSION_BEGUN_ANEW;
}

/* Write a session that is not open, or that was written before, over the stored session. Keeps keys that this request
 * does not know. */
static mcp_session_trouble write_other(mcp_session_handling *self, zend_string *id, mcp_bytes data,
	mcp_session_report *report) {
	mcp_open_session other;
	mcp_session_trouble trouble;
	php_mcp_open_session_begin(&other, &self->options, id);
	mcp_status status = php_mcp_open_session_start(&other, is_id(self->created, id));
	*report = (mcp_session_report){.outcome = end_since(self, id, &other.known)};
	if (status == MCP_OK && !mcp_session_rebase(&other.known, base_of(self, id))) {
		status = MCP_UNREACHABLE;
	}
	if (status != MCP_OK) {
		trouble = trouble_of_start(&other, status);
	} else {
		if (report->outcome == MCP_SESSION_STORED) {
			php_mcp_open_session_write(&other, data, report);
		}
		trouble = conclude_session_write(&other, report, data);
		self->written_birth = other.known.birth;
	}
	if (trouble.text == NULL && is_id(self->created, id)) {
		replace(&self->created, NULL); /* the session now exists */
	}
	php_mcp_open_session_end(&other);
	return trouble;
}

mcp_session_trouble php_mcp_session_module_write(mcp_session_handling *self, zend_string *id,
	mcp_bytes data) {
	mcp_session_report report;
	mcp_session_trouble trouble;
	bool is_open = php_mcp_open_session_is(&self->open, id);
	if (is_open && self->answer != MCP_OK) {
		return trouble_of_start(&self->open, self->answer);
	}
	if (self->was_dropped && is_id(self->written_id, id)) {
		return (mcp_session_trouble){0};
	}
	if (!is_open || self->open.was_written) {
		trouble = write_other(self, id, data, &report);
	} else {
		php_mcp_open_session_write(&self->open, data, &report);
		trouble = conclude_session_write(&self->open, &report, data);
		self->written_birth = self->open.known.birth;
	}
	self->was_dropped = trouble.text == NULL && report.outcome == MCP_SESSION_DROPPED;
	return trouble;
}

mcp_session_trouble php_mcp_session_module_destroy(mcp_session_handling *self, zend_string *id) {
	mcp_open_session other;
	mcp_open_session *session = &self->open;
	mcp_session_trouble trouble;
	mcp_status status = MCP_OK;
	bool is_open = php_mcp_open_session_is(session, id);
	if (!is_open) {
		session = &other;
		php_mcp_open_session_begin(session, &self->options, id);
		status = php_mcp_open_session_peek(session);
	}
	if (status == MCP_OK || status == MCP_FOREIGN) {
		mcp_session_report report;
		php_mcp_open_session_destroy(session, &report);
		trouble = conclude_session_write(session, &report, mcp_bytes_of("", 0));
	} else {
		trouble = trouble_of_start(session, status);
	}
	if (!is_open) {
		php_mcp_open_session_end(session);
	}
	return trouble;
}

/* Implements PHP's save handler functions. *mod_data is NULL after close. User code can close the session inside
 * another call (__sleep() while $_SESSION is encoded, or an error handler), and PHP continues. A failure causes a
 * warning with its reason, before PHP's own warning. If the server is unreachable, a read fails: it never returns an
 * empty session. */

#ifdef MCP_HAS_SESSION_HEADERS

/* Raise a recorded bailout. First end the session for PHP's session module, which would otherwise write the session
 * again at request end and wait for its own lock. */
static void raise_noted(void) {
	if (UNEXPECTED(php_mcp_bailout_is_noted())) {
		globals_of_sessions()->session_status = php_session_none;
		php_mcp_bailout_raise();
	}
}

/* Takes over the text; NULL: success. A current exception takes precedence. */
static zend_result conclude_call(zend_string *text) {
	if (text == NULL) {
		return SUCCESS;
	}
	raise_noted();
	if (EG(exception) == NULL) {
		php_error_docref(NULL, E_WARNING, "mcpatterns: %s", ZSTR_VAL(text));
	}
	zend_string_release(text);
	return FAILURE;
}

static zend_result warn_of_closed(const char *what_is_not_done) {
	return conclude_call(zend_strpprintf(0, "the session was closed during another call: %s",
		what_is_not_done));
}

/* Keep the hold if PHP opens the session without closing it first, because session_reset() reads the session again. */
static PS_OPEN_FUNC(mcpatterns) {
	(void)session_name;
	if (*mod_data != NULL) {
		((mcp_session_handling *)*mod_data)->has_answer = false;
		return SUCCESS;
	}
	php_mcp_meters_begin_request(); /* can run before RINIT, because of session.auto_start and for uploads */
	const php_ps_globals *session = globals_of_sessions();
	const char *format = session->serializer != NULL ? session->serializer->name : NULL;
	mcp_session_options options;
	if (!php_mcp_open_session_read_settings(&options, MCP_COMPAT_SAVE_PATH(save_path), format,
			session->gc_maxlifetime)) {
		return FAILURE;
	}
	mcp_session_handling *self = ecalloc(1, sizeof(*self));
	self->options = options;
	*mod_data = self;
	return SUCCESS;
}

static PS_CLOSE_FUNC(mcpatterns) {
	mcp_session_handling *self = *mod_data;
	if (self != NULL) {
		*mod_data = NULL;
		php_mcp_session_module_close(self);
		php_mcp_session_module_keep(self, NULL, NULL);
		php_mcp_open_session_free_options(&self->options);
		efree(self);
		raise_noted();
	}
	return SUCCESS;
}

static PS_CREATE_SID_FUNC(mcpatterns) {
	mcp_session_handling *self = *mod_data;
	return self != NULL ? php_mcp_session_module_create_id(self) : draw_id();
}

static PS_VALIDATE_SID_FUNC(mcpatterns) {
	mcp_session_handling *self = *mod_data;
	bool is_valid = self != NULL && php_mcp_session_module_validate(self, key);
	raise_noted();
	return is_valid ? SUCCESS : FAILURE;
}

static PS_READ_FUNC(mcpatterns) {
	mcp_bytes data;
	(void)maxlifetime;
	if (*mod_data == NULL) {
		return warn_of_closed("it was not read");
	}
	mcp_session_trouble trouble = php_mcp_session_module_read(*mod_data, key, &data);
	if (trouble.text == NULL) {
		*val = zend_string_init(data.data, data.length, false);
	}
	return conclude_call(trouble.text);
}

/* True if there are elements to store. Most of PHP's formats drop elements with numeric keys. */
static bool has_named_element(void) {
	zval *variables = &globals_of_sessions()->http_session_vars;
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

static zend_result store(void **mod_data, zend_string *id, zend_string *value) {
	if (*mod_data == NULL) {
		return warn_of_closed("later changes were not stored");
	}
	mcp_bytes data = mcp_bytes_of(ZSTR_VAL(value), ZSTR_LEN(value));
	mcp_session_trouble trouble = php_mcp_session_module_write(*mod_data, id, data);
	if (trouble.text == NULL) {
		php_mcp_session_module_keep(*mod_data, id, value);
	}
	return conclude_call(trouble.text);
}

/* Reject incomplete data of a failed encoding, which no request could decode: an empty string for a non-empty session,
 * or the part that was encoded before an exception or exit. */
static PS_WRITE_FUNC(mcpatterns) {
	const mcp_session_handling *self = *mod_data;
	(void)maxlifetime;
	bool has_thrown = EG(exception) != NULL;
	if (!has_thrown && (ZSTR_LEN(val) > 0 || !has_named_element())) {
		return store(mod_data, key, val);
	}
	php_mcp_open_session_count_refusal(self != NULL ? self->options.counted : NULL);
	return has_thrown ? FAILURE
					  : conclude_call(zend_strpprintf(0,
							"$_SESSION cannot be encoded (a name contains \"|\"); " STAYS));
}

static PS_UPDATE_TIMESTAMP_FUNC(mcpatterns) {
	(void)maxlifetime;
	return store(mod_data, key, val);
}

static PS_DESTROY_FUNC(mcpatterns) {
	if (*mod_data == NULL) {
		return warn_of_closed("it was not destroyed");
	}
	return conclude_call(php_mcp_session_module_destroy(*mod_data, key).text);
}

/* Does nothing, because memcached removes expired sessions. */
static PS_GC_FUNC(mcpatterns) {
	(void)mod_data;
	(void)maxlifetime;
	*nrdels = 0;
	return 0;
}

static const ps_module handler = {PS_MOD_UPDATE_TIMESTAMP(mcpatterns)};

void php_mcp_session_module_register(void) {
	enlist_handler(&handler);
}

/* Catch a bailout of the write (because of memory_limit), as PHP's session module does, so that the rest of request end
 * runs. The session module must not encode the session a second time. */
void php_mcp_session_module_end_request(void) {
	if (!php_mcp_session_module_is_here()) {
		return;
	}
	const php_ps_globals *session = globals_of_sessions();
	/* The session might have been opened by this save handler, or by a SessionHandler, which would release its lock
	 * before PHP writes the session. */
	bool is_ours = session->mod == &handler || MCP_REQUEST(open_sessions) != NULL;
	if (session->session_status == php_session_active && is_ours) {
		zend_try {
			session_extension.flush(1);
		}
		zend_catch {
			globals_of_sessions()->session_status = php_session_none;
		}
		zend_end_try();
	}
}

#else

void php_mcp_session_module_register(void) {
}

void php_mcp_session_module_end_request(void) {
}

#endif
