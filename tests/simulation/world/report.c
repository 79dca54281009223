/* SPDX-License-Identifier: MIT */
#include "world/report.h"

#include <stdarg.h>

void sim_log_trace(const sim_log *log, const char *format, ...) {
	if (log->trace == NULL) {
		return;
	}
	va_list arguments;
	va_start(arguments, format);
	fprintf(log->trace, "%7llu ms  ", (unsigned long long)*log->now_ms);
	vfprintf(log->trace, format, arguments);
	fputc('\n', log->trace);
	va_end(arguments);
}

void sim_log_fail(sim_log *log, const char *invariant, const char *format, ...) {
	if (log->violated != NULL) {
		return;
	}
	log->violated = invariant;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(log->text, sizeof(log->text), format, arguments);
	va_end(arguments);
	sim_log_trace(log, "%s is violated: %s", invariant, log->text);
}
