/* Answers PHP's session module in the order in which that asks. A failure is a warning with its reason before PHP's own
 * and never a guess: a server that could not be asked is no empty session. */
/* SPDX-License-Identifier: MIT */
#include "save_handler.h"

#include "../engine/bailout.h"
#include "../engine/compat.h"
#include "../metrics/meters.h"
#include "php_mcpatterns.h"
#include "session_handling.h"
#include "session_module.h"

#ifdef MCP_HAS_SESSION_HEADERS

/* Returns NULL once it was closed. PHP asks on even then, where user code has closed the session in the middle of another
 * call: __sleep() while $_SESSION is encoded, or an error handler. */
static mcp_session_handling *handling_of(void **mod_data) {
	return *mod_data;
}

/* Raises a bailout that was noted. The session is over for PHP's module then, which would write it once more when the request
 * ends, and wait for the lock that is given back after that. */
static void raise_noted(void) {
	if (UNEXPECTED(php_mcp_bailout_is_noted())) {
		php_mcp_session_module_globals()->session_status = php_session_none;
		php_mcp_bailout_raise();
	}
}

/* Takes over the text. An exception that stands says more. */
static zend_result warn(zend_string *text) {
	raise_noted();
	if (EG(exception) == NULL) {
		php_error_docref(NULL, E_WARNING, "mcpatterns: %s", ZSTR_VAL(text));
	}
	zend_string_release(text);
	return FAILURE;
}

static zend_result warn_of_closed(const char *what_is_not_done) {
	return warn(zend_strpprintf(0, "the session was closed in the middle of another call: %s",
		what_is_not_done));
}

/* Keeps what is held, where PHP opens without having closed: session_reset() reads it again. */
static PS_OPEN_FUNC(mcpatterns) {
	(void)session_name;
	if (*mod_data != NULL) {
		handling_of(mod_data)->has_answer = false;
		return SUCCESS;
	}
	php_mcp_meters_begin_request(); /* this may be called before RINIT: by session.auto_start and for uploads */
	const php_ps_globals *session = php_mcp_session_module_globals();
	const char *format = session->serializer != NULL ? session->serializer->name : NULL;
	mcp_session_terms terms;
	if (!php_mcp_session_terms_of_settings(&terms, MCP_COMPAT_SAVE_PATH(save_path), format,
			session->gc_maxlifetime)) {
		return FAILURE;
	}
	mcp_session_handling *self = ecalloc(1, sizeof(*self));
	self->terms = terms;
	*mod_data = self;
	return SUCCESS;
}

static PS_CLOSE_FUNC(mcpatterns) {
	mcp_session_handling *self = handling_of(mod_data);
	if (self != NULL) {
		*mod_data = NULL;
		php_mcp_session_handling_close(self);
		php_mcp_session_handling_keep(self, NULL, NULL);
		php_mcp_session_terms_free(&self->terms);
		efree(self);
		raise_noted();
	}
	return SUCCESS;
}

static PS_CREATE_SID_FUNC(mcpatterns) {
	mcp_session_handling *self = handling_of(mod_data);
	return self != NULL ? php_mcp_session_handling_create_id(self)
						: php_mcp_session_module_create_id();
}

static PS_VALIDATE_SID_FUNC(mcpatterns) {
	mcp_session_handling *self = handling_of(mod_data);
	bool is_valid = self != NULL && php_mcp_session_handling_validate(self, key);
	raise_noted();
	return is_valid ? SUCCESS : FAILURE;
}

static PS_READ_FUNC(mcpatterns) {
	mcp_session_trouble trouble;
	mcp_bytes data;
	(void)maxlifetime;
	if (*mod_data == NULL) {
		return warn_of_closed("it is not read");
	}
	if (!php_mcp_session_handling_read(handling_of(mod_data), key, &data, &trouble)) {
		return warn(trouble.text);
	}
	*val = zend_string_init(data.data, data.length, false);
	return SUCCESS;
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

static zend_result store(void **mod_data, zend_string *id, zend_string *value) {
	mcp_session_trouble trouble;
	if (*mod_data == NULL) {
		return warn_of_closed("what came after that is not stored");
	}
	mcp_bytes data = mcp_bytes_of(ZSTR_VAL(value), ZSTR_LEN(value));
	if (!php_mcp_session_handling_write(handling_of(mod_data), id, data, &trouble)) {
		return warn(trouble.text);
	}
	php_mcp_session_handling_keep(handling_of(mod_data), id, value);
	return SUCCESS;
}

/* Refuses what PHP writes where it could not encode the session: nothing for something, and what it had encoded when an
 * exception, or the script's end, came out of user code, which no request could decode. */
static PS_WRITE_FUNC(mcpatterns) {
	const mcp_session_handling *self = handling_of(mod_data);
	(void)maxlifetime;
	if (EG(exception) != NULL) {
		php_mcp_session_counting_refusal(self != NULL ? self->terms.counted : NULL);
		return FAILURE;
	}
	if (ZSTR_LEN(val) == 0 && has_named_element()) {
		php_mcp_session_counting_refusal(self != NULL ? self->terms.counted : NULL);
		return warn(zend_strpprintf(0,
			"$_SESSION cannot be encoded (a name with \"|\"): the session stays as it was"));
	}
	return store(mod_data, key, val);
}

static PS_UPDATE_TIMESTAMP_FUNC(mcpatterns) {
	(void)maxlifetime;
	return store(mod_data, key, val);
}

static PS_DESTROY_FUNC(mcpatterns) {
	mcp_session_trouble trouble;
	if (*mod_data == NULL) {
		return warn_of_closed("it is not destroyed");
	}
	bool is_destroyed = php_mcp_session_handling_destroy(handling_of(mod_data), key, &trouble);
	return is_destroyed ? SUCCESS : warn(trouble.text);
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

/* Says whether it is ours, or may be: a SessionHandler that has a session open would give its lock back before PHP writes. */
static bool is_ours(const php_ps_globals *session) {
	return session->mod == &handler || MCP_REQUEST(open_sessions) != NULL;
}

/* Catches a limit that the writing runs into, as PHP's session module does: the rest of the request's end is to come. */
void php_mcp_save_handler_end_request(void) {
	if (!php_mcp_session_module_is_here()) {
		return;
	}
	const php_ps_globals *session = php_mcp_session_module_globals();
	if (session->session_status == php_session_active && is_ours(session)) {
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
