/* One function for each kind of trouble; what a server failed of is said as everywhere. */
/* SPDX-License-Identifier: MIT */
#include "session_trouble.h"

#include "../../core/session/session_parts.h"
#include "../objects/exceptions.h"
#include "../objects/failure.h"

#define STAYS "the session stays as it was"

static mcp_session_trouble trouble(zend_class_entry *exception, zend_string *text) {
	return (mcp_session_trouble){exception, text};
}

static mcp_store *server_of(const mcp_open_session *session) {
	return php_mcp_open_session_owner_of(session->terms, session->id);
}

/* Says "127.0.0.1:11211: the server could not be reached: connection refused". */
static zend_string *describe_server(const mcp_open_session *session, mcp_status status) {
	mcp_store *server = server_of(session);
	zend_string *reason = php_mcp_failure_describe(status, mcp_store_last_failure(server));
	zend_string *text = zend_strpprintf(0, "%s: %s", server->address, ZSTR_VAL(reason));
	zend_string_release(reason);
	return text;
}

static mcp_session_trouble of_server(const mcp_open_session *session, mcp_status status,
	const char *could_not_be) {
	zend_string *server = describe_server(session, status);
	zend_string *text =
		zend_strpprintf(0, "the session could not be %s on %s", could_not_be, ZSTR_VAL(server));
	zend_string_release(server);
	return trouble(php_mcp_server_exception, text);
}

static mcp_session_trouble of_wait(const mcp_open_session *session) {
	const mcp_session_known *known = &session->known;
	double waited_s = (double)session->terms->wait_ms / 1000;
	if (known->holder.length == 0) {
		return trouble(php_mcp_lock_timeout_exception,
			zend_strpprintf(0,
				"the session is held by another request, and %g s of waiting are over", waited_s));
	}
	zend_string *holder =
		php_mcp_session_owner_show(mcp_bytes_of(known->holder.data, known->holder.length),
			known->held_for_ms);
	zend_string *text = zend_strpprintf(0,
		"the session is held by %s, and %g s of waiting are over", ZSTR_VAL(holder), waited_s);
	zend_string_release(holder);
	return trouble(php_mcp_lock_timeout_exception, text);
}

static zend_string *describe_obstacle(const mcp_open_session *session) {
	switch (session->known.obstacle) {
		case MCP_SESSION_OF_OTHER_FORMAT:
			return zend_strpprintf(0,
				"the session was written by serialize_handler %s, and session.serialize_handler is %s;"
				" it stays as it was",
				php_mcp_session_terms_format_name(session->known.head.format),
				php_mcp_session_terms_format_name(session->terms->format));
		case MCP_SESSION_OF_LATER_VERSION:
			return zend_strpprintf(0,
				"the session was written by a later version of mcpatterns; it stays as it was");
		default:
			return zend_strpprintf(0,
				"the session is compressed, and this host cannot make it longer again (the compressor"
				" is not built in, or mcpatterns.inflated_limit or memory_limit is too low); it stays"
				" as it was");
	}
}

mcp_session_trouble php_mcp_session_trouble_of_start(const mcp_open_session *session,
	mcp_status status) {
	switch (status) {
		case MCP_NOT_STORED:
			return of_wait(session);
		case MCP_FOREIGN:
			return trouble(php_mcp_stored_value_exception, describe_obstacle(session));
		default:
			return of_server(session, status, "read");
	}
}

/* --- what was not stored --- */

/* Returns the part that takes most; NULL if the data cannot be taken apart. */
static const mcp_session_part *largest_of(const mcp_session_parts *parts) {
	const mcp_session_part *largest = parts->first;
	for (const mcp_session_part *part = parts->first; part != NULL; part = part->next) {
		largest = part->value.length > largest->value.length ? part : largest;
	}
	return largest;
}

/* Returns a key as scripts write it: without what serialize() puts around it. */
static mcp_bytes name_of(const mcp_session_part *part, mcp_session_format format) {
	const char *quote =
		format == MCP_SESSION_PHP_SERIALIZE ? memchr(part->key.data, '"', part->key.length) : NULL;
	if (quote == NULL) {
		return part->key;
	}
	size_t skipped = (size_t)(quote - part->key.data) + 1;
	return mcp_bytes_of(part->key.data + skipped, part->key.length - skipped - strlen("\";"));
}

static zend_string *show_part(const mcp_session_part *part, mcp_session_format format) {
	mcp_bytes name = name_of(part, format);
	zend_string *bytes = zend_string_init(name.data, name.length, false);
	zend_string *shown = php_mcp_failure_show_name(bytes);
	zend_string *text =
		zend_strpprintf(0, " (largest: \"%s\", %zu)", ZSTR_VAL(shown), part->value.length);
	zend_string_release(shown);
	zend_string_release(bytes);
	return text;
}

/* Says ' (largest: "cart", 1200000)', or nothing. */
static zend_string *describe_largest(mcp_session_format format, mcp_bytes data) {
	mcp_buffer memory = {0};
	zend_string *text = NULL;
	for (size_t size = 65536; text == NULL && mcp_buffer_reserve(&memory, size);) {
		mcp_session_room room = mcp_session_room_of(memory.data, memory.capacity);
		mcp_session_parts parts;
		bool is_apart = mcp_session_parts_take(&parts, &room, format, data);
		if (is_apart && parts.first != NULL) {
			text = show_part(largest_of(&parts), format);
		} else if (is_apart || !mcp_session_room_is_short(&room)) {
			break;
		}
		size = 2 * room.wanted;
	}
	mcp_buffer_free(&memory);
	return text != NULL ? text : ZSTR_EMPTY_ALLOC();
}

static mcp_session_trouble of_size(const mcp_open_session *session,
	const mcp_session_report *report, mcp_bytes data) {
	mcp_store *store = php_mcp_pool_store(session->terms->pool);
	size_t most = mcp_store_item_max(store, &session->kept.key, report->size);
	zend_string *largest = describe_largest(session->terms->format, data);
	zend_string *text = zend_strpprintf(0, "the session has %zu bytes of at most %zu%s: " STAYS,
		report->size, most, ZSTR_VAL(largest));
	zend_string_release(largest);
	return trouble(php_mcp_too_large_exception, text);
}

static mcp_session_trouble of_unknown(const mcp_open_session *session,
	const mcp_session_report *report) {
	zend_string *server = describe_server(session, report->status);
	zend_string *text = zend_strpprintf(0, "it is not known whether the session was stored on %s",
		ZSTR_VAL(server));
	zend_string_release(server);
	return trouble(php_mcp_server_exception, text);
}

mcp_session_trouble php_mcp_session_trouble_of_write(const mcp_open_session *session,
	const mcp_session_report *report, mcp_bytes data) {
	switch (report->outcome) {
		case MCP_SESSION_TOO_LARGE:
			return of_size(session, report, data);
		case MCP_SESSION_UNMERGEABLE:
			return trouble(php_mcp_stored_value_exception,
				zend_strpprintf(0,
					"another request changed this session, and it cannot be merged (%s):"
					" nothing of this request was stored",
					report->reason != NULL ? report->reason : "there is no memory"));
		case MCP_SESSION_LOST:
			return trouble(php_mcp_server_exception,
				zend_strpprintf(0, "the server lost the session while this request ran"));
		case MCP_SESSION_BEGUN_ANEW:
			return trouble(php_mcp_server_exception,
				zend_strpprintf(0,
					"the server lost the session while this request ran, and another began it anew"));
		case MCP_SESSION_NOT_KNOWN:
			return of_unknown(session, report);
		default:
			return of_server(session, report->status, "stored");
	}
}
