/* Chooses the metrics memory at start-up and gives it to threads and requests. Buffers one line of fixed size per trace
 * file and request: recording an event must not allocate, because events are recorded where a bailout is not
 * allowed. */
/* SPDX-License-Identifier: MIT */
#include "meters.h"

#include "../host/environment.h"
#include "../host/process.h"
#include "../host/shared_memory.h"
#include "php_mcpatterns.h"

#include "Zend/zend_smart_str.h"

#include <fcntl.h>
#include <stdlib.h>
#ifdef PHP_WIN32
#include <io.h>
#else
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#define ALIGNMENT 64

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

/* --- the trace file --- */

static bool is_file_wanted(void) {
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

/* True if the file belongs to this user and has no second link. Another user might have created the file, or linked
 * it. */
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

/* Append without following a link, which another user of the folder might have planted, and without waiting for the
 * reader of a pipe. */
static void flush(file_line *line) {
	int file = open(ZSTR_VAL(line->path),
		O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, MODE);
	bool is_written = file >= 0 && is_own(file) &&
		write(file, line->letters, line->length) == (ssize_t)line->length;
	if ((file >= 0 && close(file) != 0) || !is_written) {
		mcp_metrics_add(&MCP_G(meters).metrics->counts[MCP_COUNT_TRACE_FAILURES], 1);
	}
	line->length = 0;
}

static void append_event(mcp_trace_line *base, char letter) {
	file_line *line = (file_line *)base;
	if (line->length == LETTERS_MAX) {
		flush(line);
	}
	line->letters[line->length++] = letter;
}

static void free_line(zval *entry) {
	file_line *line = Z_PTR_P(entry);
	zend_string_release(line->path);
	efree(line);
}

/* Get the line for caches with this prefix. NULL if no trace file is set. Valid until request end. */
static mcp_trace_line *line_for(const zend_string *prefix) {
	if (EXPECTED(!is_file_wanted())) {
		return NULL;
	}
	if (MCP_REQUEST(trace_lines) == NULL) {
		ALLOC_HASHTABLE(MCP_REQUEST(trace_lines));
		zend_hash_init(MCP_REQUEST(trace_lines), 4, NULL, free_line, false);
	}
	zend_string *path = path_for(prefix);
	file_line *line = zend_hash_find_ptr(MCP_REQUEST(trace_lines), path);
	if (line == NULL) {
		line = emalloc(sizeof(*line));
		line->line.note = append_event;
		line->path = path;
		line->length = 0;
		zend_hash_add_new_ptr(MCP_REQUEST(trace_lines), path, line);
	} else {
		zend_string_release(path);
	}
	return &line->line;
}

void php_mcp_meters_end_trace_lines(void) {
	if (EXPECTED(MCP_REQUEST(trace_lines) == NULL)) {
		return;
	}
	file_line *line;
	ZEND_HASH_FOREACH_PTR(MCP_REQUEST(trace_lines), line) {
		if (line->length > 0) {
			line->letters[line->length++] = '\n';
			flush(line);
		}
	}
	ZEND_HASH_FOREACH_END();
}

void php_mcp_meters_end_trace_files(void) {
	if (EXPECTED(MCP_REQUEST(trace_lines) == NULL)) {
		return;
	}
	php_mcp_meters_end_trace_lines();
	zend_hash_destroy(MCP_REQUEST(trace_lines));
	FREE_HASHTABLE(MCP_REQUEST(trace_lines));
	MCP_REQUEST(trace_lines) = NULL;
}

/* In a forked child, forget the parent's events. */
static void forget_lines(void) {
	if (MCP_REQUEST(trace_lines) == NULL) {
		return;
	}
	file_line *line;
	ZEND_HASH_FOREACH_PTR(MCP_REQUEST(trace_lines), line) {
		line->length = 0;
	}
	ZEND_HASH_FOREACH_END();
}

/* --- processes --- */

/* True if the process is alive. 0 and negative ids, which would name process groups, are rejected. */
static bool is_alive(uint64_t pid) {
#ifdef PHP_WIN32
	return pid != 0;
#else
	if (pid == 0 || pid > INT32_MAX) {
		return false;
	}
	return kill((pid_t)pid, 0) == 0 || errno == EPERM;
#endif
}

static void forget_dead(mcp_metrics *metrics) {
	for (size_t i = 0; i < MCP_METRICS_PROCESSES; i++) {
		uint64_t pid = mcp_metrics_get(&metrics->processes[i]);
		if (pid != 0 && !is_alive(pid)) {
			atomic_compare_exchange_strong_explicit(&metrics->processes[i], &pid, 0,
				memory_order_relaxed, memory_order_relaxed);
		}
	}
}

size_t php_mcp_meters_count_processes(const mcp_metrics *metrics) {
	size_t count = 0;
	for (size_t i = 0; i < MCP_METRICS_PROCESSES; i++) {
		count += is_alive(mcp_metrics_get(&metrics->processes[i]));
	}
	return count;
}

/* --- memory --- */

/* Set in MINIT and MSHUTDOWN only. The process's own memory always exists, because it costs nothing until it is used,
 * and the trace file needs it even if metrics are off. */
static struct {
	mcp_metrics *of_host; /* NULL: no shared memory for metrics */
	mcp_metrics *of_process;
	void *allocated;
} memory;

void php_mcp_meters_open(void) {
	size_t size;
	void *part = php_mcp_shared_memory_part(MCP_SHARED_METRICS, &size);
	memory.of_host = size >= sizeof(mcp_metrics) ? part : NULL;
	/* calloc() instead of pecalloc(), which would clear memory that the system has already cleared. */
	memory.allocated = calloc(1, sizeof(mcp_metrics) + ALIGNMENT);
	if (memory.allocated == NULL) {
		zend_error_noreturn(E_CORE_ERROR, "mcpatterns: out of memory");
	}
	uintptr_t start = (uintptr_t)memory.allocated;
	memory.of_process = (void *)((start + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
}

void php_mcp_meters_close(void) {
	free(memory.allocated);
	memset(&memory, 0, sizeof(memory));
}

static mcp_metrics *counted_in(void) {
	return memory.of_host != NULL ? memory.of_host : memory.of_process;
}

mcp_metrics *php_mcp_meters_metrics(void) {
	return MCP_G(counts_metrics) ? counted_in() : NULL;
}

bool php_mcp_meters_is_shared(void) {
	return MCP_G(counts_metrics) && memory.of_host != NULL;
}

/* Memory through which the trace's event codes pass. */
static mcp_metrics *metered_in(void) {
	if (MCP_G(counts_metrics)) {
		return counted_in();
	}
	return is_file_wanted() ? memory.of_process : NULL;
}

/* Enter once per process, so that the cost of its system calls does not matter. */
static void enter(mcp_metrics *metrics, uint32_t pid) {
	MCP_G(meters).who = mcp_trace_who(pid, 0);
	if (metrics != NULL) {
		mcp_metrics_begin(metrics, mcp_wall_ms(php_mcp_environment_get()));
		if (!mcp_metrics_enter(metrics, pid)) {
			forget_dead(metrics);
			mcp_metrics_enter(metrics, pid);
		}
	}
}

void php_mcp_meters_begin_request(void) {
	mcp_metrics *metrics = metered_in();
	uint32_t pid = (uint32_t)php_mcp_process_id();
	MCP_G(environment).metrics = php_mcp_meters_metrics();
	if (MCP_G(environment).metrics != NULL) {
		mcp_metrics_sample(MCP_G(environment).metrics, mcp_wall_ms(php_mcp_environment_get()));
	}
	if (MCP_G(meters).metrics != metrics || MCP_G(meters).who != mcp_trace_who(pid, 0)) {
		MCP_G(meters).metrics = metrics;
		enter(metrics, pid);
	}
}

void php_mcp_meters_note_fork(void) {
	forget_lines();
	enter(MCP_G(meters).metrics, (uint32_t)php_mcp_process_id());
}

static zend_never_inline const mcp_meter *make_meter(mcp_meter *meter, const zend_string *prefix) {
	mcp_metrics *metrics = MCP_G(meters).metrics;
	mcp_bytes name = mcp_bytes_of(ZSTR_VAL(prefix), ZSTR_LEN(prefix));
	meter->meters = &MCP_G(meters);
	meter->group = mcp_metrics_find_group(metrics, name);
	meter->index = mcp_metrics_group_index(metrics, meter->group);
	meter->scope_length = name.length;
	meter->line = line_for(prefix);
	meter->short_cut = meter->line == NULL ? meter->scope_length : MCP_METER_NEVER_SHORT;
	return meter;
}

const mcp_meter *php_mcp_meters_make(mcp_meter *meter, const zend_string *prefix) {
	return MCP_G(meters).metrics != NULL ? make_meter(meter, prefix) : NULL;
}

void php_mcp_meters_add_count(zval *array, const char *name, const mcp_count *count,
	uint64_t number) {
	if (mcp_count_is_time(count)) {
		add_assoc_double(array, name, (double)number / 1e3);
	} else {
		add_assoc_long(array, name, php_mcp_meters_shown(number));
	}
}
