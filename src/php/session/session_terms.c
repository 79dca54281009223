/* Reads the mcpatterns.session_* settings each time a session is opened, because scripts may change them. */
/* SPDX-License-Identifier: MIT */
#include "session_terms.h"

#include "../host/environment.h"
#include "../objects/duration.h"
#include "../pool/class_pool.h"
#include "php_mcpatterns.h"

/* Counts come from the pattern's reports, without extra requests. */

mcp_metrics_session *php_mcp_session_counting_find(const mcp_pool *pool) {
	mcp_metrics *metrics = php_mcp_environment_get()->metrics;
	return metrics != NULL ? mcp_metrics_find_session(metrics, php_mcp_pool_prefix(pool)) : NULL;
}

/* Skip 0, the usual case: it would only take the cache line from another process. */
static void add(mcp_metrics_session *counted, mcp_count_of_session which, uint64_t by) {
	if (by > 0) {
		mcp_metrics_add(&counted->counts[which], by);
	}
}

void php_mcp_session_counting_start(mcp_metrics_session *counted, const mcp_session_known *known,
	mcp_status status, uint64_t waited_ms) {
	if (counted == NULL) {
		return;
	}
	add(counted, MCP_COUNT_SESSION_STARTS, 1);
	add(counted, MCP_COUNT_SESSION_WAITS, waited_ms > 0);
	add(counted, MCP_COUNT_SESSION_WAIT_MS, waited_ms);
	add(counted, MCP_COUNT_SESSION_TAKEOVERS, known->is_held && known->was_taken_over);
	add(counted, MCP_COUNT_SESSION_REFUSED, status == MCP_FOREIGN);
	add(counted, MCP_COUNT_SESSION_FAILURES, status != MCP_OK && status != MCP_FOREIGN);
}

static mcp_count_of_session count_of(mcp_session_outcome outcome) {
	switch (outcome) {
		case MCP_SESSION_DROPPED:
			return MCP_COUNT_SESSION_DROPPED;
		case MCP_SESSION_UNMERGEABLE:
		case MCP_SESSION_TOO_LARGE:
			return MCP_COUNT_SESSION_REFUSED;
		default:
			return MCP_COUNT_SESSION_FAILURES;
	}
}

void php_mcp_session_counting_report(mcp_metrics_session *counted,
	const mcp_session_report *report) {
	if (counted == NULL) {
		return;
	}
	add(counted, MCP_COUNT_SESSION_LATE, report->was_late);
	if (report->outcome == MCP_SESSION_STORED) {
		add(counted, MCP_COUNT_SESSION_MERGES, report->was_merged);
		add(counted, MCP_COUNT_SESSION_CONFLICTS, report->conflicts);
		add(counted, MCP_COUNT_SESSION_STORED_AGAIN, report->was_stored_again);
	} else {
		add(counted, count_of(report->outcome), 1);
	}
}

void php_mcp_session_counting_refusal(mcp_metrics_session *counted) {
	if (counted != NULL) {
		add(counted, MCP_COUNT_SESSION_REFUSED, 1);
	}
}

#define KEY_FILE_MAX 65536

/* Set in MINIT and MSHUTDOWN only. NULL: sessions are not signed. */
static mcp_signing_keys *signing_keys;

static const char *const lockings[] = {
	[MCP_SESSION_LOCK] = "lock",
	[MCP_SESSION_MERGE] = "merge",
	[MCP_SESSION_NO_LOCK] = "none",
};

static const char *const formats[MCP_SESSION_FORMATS] = {
	[MCP_SESSION_OTHER] = "another",
	[MCP_SESSION_PHP] = "php",
	[MCP_SESSION_PHP_SERIALIZE] = "php_serialize",
	[MCP_SESSION_IGBINARY] = "igbinary",
	[MCP_SESSION_MSGPACK] = "msgpack",
	[MCP_SESSION_PHP_BINARY] = "php_binary",
};

/* Returns false if there is no such mode. `locking` may be NULL. */
static bool php_mcp_session_terms_name_locking(const char *name, mcp_session_locking *locking) {
	for (size_t i = 0; i < sizeof(lockings) / sizeof(lockings[0]); i++) {
		if (strcasecmp(name, lockings[i]) == 0) {
			if (locking != NULL) {
				*locking = (mcp_session_locking)i;
			}
			return true;
		}
	}
	return false;
}

mcp_session_format php_mcp_session_terms_format(const char *name) {
	for (int i = MCP_SESSION_PHP; name != NULL && i < MCP_SESSION_FORMATS; i++) {
		if (strcmp(name, formats[i]) == 0) {
			return (mcp_session_format)i;
		}
	}
	return MCP_SESSION_OTHER;
}

const char *php_mcp_session_terms_format_name(mcp_session_format format) {
	return formats[format];
}

bool php_mcp_session_terms_of_settings(mcp_session_terms *terms, const char *servers,
	const char *format_name, zend_long ttl_s) {
	if (ttl_s < 1) {
		php_error_docref(NULL, E_WARNING,
			"mcpatterns: session.gc_maxlifetime must be at least 1 second, " ZEND_LONG_FMT " given",
			ttl_s);
		return false;
	}
	*terms = (mcp_session_terms){
		.pool = php_mcp_class_pool_for_sessions(servers, MCP_G(session_prefix)),
		.signing_keys = signing_keys,
		.format = php_mcp_session_terms_format(format_name),
		.merge_depth = (unsigned)MCP_G(session_merge_depth),
		.wait_ms = php_mcp_duration_ms(MCP_G(session_lock_wait)),
		.expire_ms = php_mcp_duration_ms(MCP_G(session_lock_expire)),
		.ttl_ms = (uint64_t)ttl_s * 1000,
		.fails_over = MCP_G(session_failover),
	};
	const char *locking = MCP_G(session_locking);
	php_mcp_session_terms_name_locking(*locking != '\0' ? locking : "none", &terms->locking);
	const char *foreign = MCP_G(session_foreign_prefix);
	if (foreign[0] != '\0' && terms->pool != NULL) {
		terms->foreign = zend_string_init(foreign, strlen(foreign), false);
	}
	terms->counted = terms->pool != NULL ? php_mcp_session_counting_find(terms->pool) : NULL;
	return terms->pool != NULL;
}

void php_mcp_session_terms_free(mcp_session_terms *terms) {
	php_mcp_pool_release(terms->pool);
	if (terms->foreign != NULL) {
		zend_string_release(terms->foreign);
		terms->foreign = NULL;
	}
}

/* Get the next non-blank line. */
static bool next_line(mcp_bytes *text, mcp_bytes *line) {
	while (text->length > 0) {
		const char *newline = memchr(text->data, '\n', text->length);
		size_t length = newline != NULL ? (size_t)(newline - text->data) : text->length;
		size_t skipped = newline != NULL ? length + 1 : length;
		*line = mcp_bytes_of(text->data, length);
		*text = mcp_bytes_of(text->data + skipped, text->length - skipped);
		line->length -= line->length > 0 && line->data[line->length - 1] == '\r';
		if (line->length > 0) {
			return true;
		}
	}
	return false;
}

/* Store the keys in reverse order: the last line is the newest key, and the first key signs. Returns false if there
 * is none. */
static bool keep(mcp_bytes text) {
	mcp_bytes line, rest = text;
	size_t count = 0;
	while (next_line(&rest, &line)) {
		count++;
	}
	if (count == 0) {
		return false;
	}
	signing_keys = safe_pemalloc(count, sizeof(mcp_signing_key), sizeof(mcp_signing_keys), true);
	signing_keys->count = count;
	while (next_line(&text, &line)) {
		mcp_signing_key_make(&signing_keys->keys[--count], line);
	}
	return true;
}

bool php_mcp_session_terms_read_keys(void) {
	const char *path = MCP_G(session_key_file);
	if (path[0] == '\0') {
		return true;
	}
	char text[KEY_FILE_MAX];
	FILE *file = fopen(path, "rb");
	size_t length = file != NULL ? fread(text, 1, sizeof(text), file) : 0;
	bool is_whole = file != NULL && !ferror(file) && length < sizeof(text);
	if (file != NULL) {
		fclose(file);
	}
	bool is_kept = is_whole && keep(mcp_bytes_of(text, length));
	ZEND_SECURE_ZERO(text, sizeof(text));
	if (!is_kept) {
		zend_error(E_CORE_WARNING,
			"The INI setting mcpatterns.session_key_file must be a readable file of less than 64 KiB"
			" with one key per line, \"%s\" given",
			path);
	}
	return is_kept;
}

void php_mcp_session_terms_forget_keys(void) {
	if (signing_keys != NULL) {
		ZEND_SECURE_ZERO(signing_keys->keys, signing_keys->count * sizeof(signing_keys->keys[0]));
		pefree(signing_keys, true);
		signing_keys = NULL;
	}
}
