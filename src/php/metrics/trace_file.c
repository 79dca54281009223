/* Buffers one line of fixed size per file and request: recording an event must not allocate, because it happens
 * where a bailout is not allowed. */
/* SPDX-License-Identifier: MIT */
#include "trace_file.h"

#include "php_mcpatterns.h"

#include "Zend/zend_smart_str.h"

#include <fcntl.h>
#ifdef PHP_WIN32
#include <io.h>
#else
#include <sys/stat.h>
#include <unistd.h>
#endif

/* Missing on Windows. */
#ifndef O_NOFOLLOW
#define O_NOFOLLOW 0
#endif
#ifndef O_CLOEXEC
#define O_CLOEXEC 0
#endif
#ifndef O_NONBLOCK
#define O_NONBLOCK 0
#endif

/* Not world-readable: events and prefixes are private. */
#define MODE 0640
/* A request with more event codes is written in several pieces. */
#define LETTERS_MAX 4095
/* Bytes of a prefix in the file's name. */
#define PREFIX_SHOWN_MAX 100

typedef struct file_line {
	mcp_trace_line line;
	zend_string *path;
	size_t length;
	char letters[LETTERS_MAX + 1]; /* with the newline */
} file_line;

bool php_mcp_trace_file_is_wanted(void) {
	return MCP_G(trace_file) != NULL && *MCP_G(trace_file) != '\0';
}

/* Replace every byte that a file system or a shell could interpret. */
static char shown(char byte, bool is_first) {
	bool is_plain = (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
		(byte >= '0' && byte <= '9') || byte == '_' || byte == '-' || (byte == '.' && !is_first);
	return is_plain ? byte : '_';
}

static void append_prefix(smart_str *path, const zend_string *prefix) {
	size_t length = MIN(ZSTR_LEN(prefix), PREFIX_SHOWN_MAX);
	for (size_t i = 0; i < length; i++) {
		smart_str_appendc(path, shown(ZSTR_VAL(prefix)[i], i == 0));
	}
	if (length == 0) {
		smart_str_appendc(path, '_');
	}
}

static zend_string *path_for(const zend_string *prefix) {
	smart_str path = {0};
	for (const char *at = MCP_G(trace_file); *at != '\0'; at++) {
		if (at[0] == '%' && at[1] == 'p') {
			append_prefix(&path, prefix);
			at++;
		} else {
			smart_str_appendc(&path, *at);
		}
	}
	return smart_str_extract(&path);
}

/* True if only this user can read the file. Another user could have created it, with open mode bits or a hard link. */
static bool is_own(int file) {
#ifdef PHP_WIN32
	(void)file;
	return true;
#else
	struct stat status;
	return fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
		status.st_nlink == 1;
#endif
}

/* Append without following a link, which another user of the folder may have planted, and without waiting for the
 * reader of a pipe. */
static bool append(const char *path, const char *bytes, size_t length) {
	int file =
		open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, MODE);
	if (file < 0) {
		return false;
	}
	bool is_written = is_own(file) && write(file, bytes, length) == (ssize_t)length;
	return close(file) == 0 && is_written;
}

static void flush(file_line *line) {
	if (!append(ZSTR_VAL(line->path), line->letters, line->length)) {
		mcp_metrics_add(&MCP_G(meters).metrics->counts[MCP_COUNT_TRACE_FAILURES], 1);
	}
	line->length = 0;
}

static void note(mcp_trace_line *base, char letter) {
	file_line *line = (file_line *)base;
	if (line->length == LETTERS_MAX) {
		flush(line);
	}
	line->letters[line->length++] = letter;
}

static file_line *create(zend_string *path) {
	file_line *line = emalloc(sizeof(*line));
	line->line.note = note;
	line->path = path;
	line->length = 0;
	return line;
}

mcp_trace_line *php_mcp_trace_file_line(const zend_string *prefix) {
	if (EXPECTED(!php_mcp_trace_file_is_wanted())) {
		return NULL;
	}
	if (MCP_REQUEST(trace_lines) == NULL) {
		ALLOC_HASHTABLE(MCP_REQUEST(trace_lines));
		zend_hash_init(MCP_REQUEST(trace_lines), 4, NULL, NULL, false);
	}
	zend_string *path = path_for(prefix);
	file_line *line = zend_hash_find_ptr(MCP_REQUEST(trace_lines), path);
	if (line == NULL) {
		line = create(path);
		zend_hash_add_new_ptr(MCP_REQUEST(trace_lines), path, line);
	} else {
		zend_string_release(path);
	}
	return &line->line;
}

static void end_line(file_line *line) {
	if (line->length > 0) {
		line->letters[line->length++] = '\n';
		flush(line);
	}
}

void php_mcp_trace_file_end_lines(void) {
	if (EXPECTED(MCP_REQUEST(trace_lines) == NULL)) {
		return;
	}
	file_line *line;
	ZEND_HASH_FOREACH_PTR(MCP_REQUEST(trace_lines), line) {
		end_line(line);
	}
	ZEND_HASH_FOREACH_END();
}

void php_mcp_trace_file_end_request(void) {
	if (EXPECTED(MCP_REQUEST(trace_lines) == NULL)) {
		return;
	}
	file_line *line;
	ZEND_HASH_FOREACH_PTR(MCP_REQUEST(trace_lines), line) {
		end_line(line);
		zend_string_release(line->path);
		efree(line);
	}
	ZEND_HASH_FOREACH_END();
	zend_hash_destroy(MCP_REQUEST(trace_lines));
	FREE_HASHTABLE(MCP_REQUEST(trace_lines));
	MCP_REQUEST(trace_lines) = NULL;
}

void php_mcp_trace_file_forget(void) {
	if (MCP_REQUEST(trace_lines) == NULL) {
		return;
	}
	file_line *line;
	ZEND_HASH_FOREACH_PTR(MCP_REQUEST(trace_lines), line) {
		line->length = 0;
	}
	ZEND_HASH_FOREACH_END();
}
