/* Chooses the metrics memory at start-up and gives it to threads and requests. */
/* SPDX-License-Identifier: MIT */
#include "meters.h"

#include "../../core/metrics/metrics.h"
#include "../host/environment.h"
#include "../host/process.h"
#include "src/php/host/shared_memory.h"
#include "php_mcpatterns.h"
#include "processes.h"
#include "trace_file.h"

#include <stdlib.h>

#define ALIGNMENT 64

/* Set in MINIT and MSHUTDOWN only. The process's own memory always exists: it costs nothing until used, and the
 * trace file needs one even if metrics are off. */
static struct {
	mcp_metrics *of_host; /* NULL: there is none */
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
	return php_mcp_trace_file_is_wanted() ? memory.of_process : NULL;
}

/* Enter once per process: its system calls then do not matter. */
static void enter(mcp_metrics *metrics, uint32_t pid) {
	MCP_G(meters).who = mcp_trace_who(pid, 0);
	if (metrics != NULL) {
		mcp_metrics_begin(metrics, mcp_wall_ms(php_mcp_environment_get()));
		php_mcp_processes_enter(metrics, pid);
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
	php_mcp_trace_file_forget();
	enter(MCP_G(meters).metrics, (uint32_t)php_mcp_process_id());
}

const mcp_meter *php_mcp_meters_make(mcp_meter *meter, const zend_string *prefix) {
	mcp_metrics *metrics = MCP_G(meters).metrics;
	if (EXPECTED(metrics == NULL)) {
		return NULL;
	}
	mcp_bytes name = mcp_bytes_of(ZSTR_VAL(prefix), ZSTR_LEN(prefix));
	meter->meters = &MCP_G(meters);
	meter->group = mcp_metrics_find_group(metrics, name);
	meter->index = mcp_metrics_group_index(metrics, meter->group);
	meter->scope_length = name.length;
	meter->line = php_mcp_trace_file_line(prefix);
	meter->short_cut = meter->line == NULL ? meter->scope_length : MCP_METER_NEVER_SHORT;
	return meter;
}
