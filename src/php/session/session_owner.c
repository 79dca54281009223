/* Makes it of what the server's interface tells, and takes it apart again, whatever another host has written. */
/* SPDX-License-Identifier: MIT */
#include "session_owner.h"

#include "../host/process.h"
#include "../objects/failure.h"
#include "SAPI.h"

#ifndef PHP_WIN32
#include <unistd.h>
#endif

#define HOST_MAX 64
#define PARTS 4

/* Writes a name without spaces, as it is one of several words. */
static void write_host(char host[HOST_MAX]) {
	if (gethostname(host, HOST_MAX) != 0 || host[0] == '\0') {
		memcpy(host, "-", 2);
	}
	host[HOST_MAX - 1] = '\0';
	for (char *c = host; *c != '\0'; c++) {
		*c = (unsigned char)*c <= ' ' ? '-' : *c;
	}
}

static const char *path_of_request(void) {
	if (SG(request_info).request_uri != NULL) {
		return SG(request_info).request_uri;
	}
	return SG(request_info).path_translated != NULL ? SG(request_info).path_translated
													: sapi_module.name;
}

void php_mcp_session_owner_make(mcp_session_owner *owner) {
	char host[HOST_MAX];
	write_host(host);
	const char *path = path_of_request();
	int path_length = (int)MIN(strcspn(path, "?#"), (size_t)MCP_SESSION_OWNER_MAX);
	snprintf(owner->text, sizeof(owner->text), "%s %d %.0f %.*s", host, (int)php_mcp_process_id(),
		(double)(zend_long)sapi_get_request_time(), path_length, path);
	owner->length = strlen(owner->text);
}

/* Takes the next word off, the last time all that is left. */
static mcp_bytes take_word(mcp_bytes *text, bool is_last) {
	const char *space = is_last ? NULL : memchr(text->data, ' ', text->length);
	size_t length = space != NULL ? (size_t)(space - text->data) : text->length;
	mcp_bytes word = mcp_bytes_of(text->data, length);
	size_t skipped = space != NULL ? length + 1 : length;
	*text = mcp_bytes_of(text->data + skipped, text->length - skipped);
	return word;
}

static zend_string *shown(mcp_bytes word) {
	zend_string *bytes = zend_string_init(word.length > 0 ? word.data : "-",
		word.length > 0 ? word.length : 1, false);
	zend_string *shown = php_mcp_failure_show_name(bytes);
	zend_string_release(bytes);
	return shown;
}

zend_string *php_mcp_session_owner_show(mcp_bytes owner, uint64_t held_for_ms) {
	zend_string *words[PARTS];
	for (int i = 0; i < PARTS; i++) {
		words[i] = shown(take_word(&owner, i + 1 == PARTS));
	}
	zend_string *text = zend_strpprintf(0, "%s %s since %.1f s (%s)", ZSTR_VAL(words[0]),
		ZSTR_VAL(words[1]), (double)held_for_ms / 1000, ZSTR_VAL(words[3]));
	for (int i = 0; i < PARTS; i++) {
		zend_string_release(words[i]);
	}
	return text;
}
