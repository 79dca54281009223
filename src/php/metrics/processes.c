/* Asks the system which of the entered processes are alive. */
/* SPDX-License-Identifier: MIT */
#include "processes.h"

#include "php.h"

#ifdef PHP_WIN32

static bool is_alive(uint64_t pid) {
	return pid != 0;
}

#else

#include <errno.h>
#include <signal.h>
#include <sys/types.h>

/* True if the process is alive. 0 and negative ids, which would name process groups, are rejected. */
static bool is_alive(uint64_t pid) {
	if (pid == 0 || pid > INT32_MAX) {
		return false;
	}
	return kill((pid_t)pid, 0) == 0 || errno == EPERM;
}

#endif

static void forget_dead(mcp_metrics *metrics) {
	for (size_t i = 0; i < MCP_METRICS_PROCESSES; i++) {
		uint64_t pid = mcp_metrics_get(&metrics->processes[i]);
		if (pid != 0 && !is_alive(pid)) {
			atomic_compare_exchange_strong_explicit(&metrics->processes[i], &pid, 0,
				memory_order_relaxed, memory_order_relaxed);
		}
	}
}

void php_mcp_processes_enter(mcp_metrics *metrics, uint32_t pid) {
	if (!mcp_metrics_enter(metrics, pid)) {
		forget_dead(metrics);
		mcp_metrics_enter(metrics, pid);
	}
}

size_t php_mcp_processes_count(const mcp_metrics *metrics) {
	size_t count = 0;
	for (size_t i = 0; i < MCP_METRICS_PROCESSES; i++) {
		count += is_alive(mcp_metrics_get(&metrics->processes[i]));
	}
	return count;
}
