/* The report of a run: its first violation and its trace. Counts passed and failed tests, and decides how much to
 * print. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { SIM_SHOWN_MAX = 3 };

typedef struct sim_log {
	const char *violated; /* invariant; NULL: none */
	char text[400];
	FILE *trace;            /* NULL: silent */
	const uint64_t *now_ms; /* clock of the world */
} sim_log;

/* Records the first violation, which ends the run. */
void sim_log_fail(sim_log *log, const char *invariant, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Adds a line to the trace. */
void sim_log_trace(const sim_log *log, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

typedef struct sim_report {
	uint64_t passed, failed;
	unsigned shown;        /* failures with a trace */
	bool is_quiet;         /* no traces */
	bool stops_at_failure; /* for mutants, which need one failure */
} sim_report;

static inline void sim_report_count(sim_report *report, bool has_passed) {
	report->passed += has_passed;
	report->failed += !has_passed;
}

/* True if no more tests are to run. */
static inline bool sim_report_is_over(const sim_report *report) {
	return report->failed > 0 && report->stops_at_failure;
}

/* True for the first few failures, which are printed with their traces. */
static inline bool sim_report_shows(sim_report *report) {
	return !report->is_quiet && report->shown++ < SIM_SHOWN_MAX;
}

#endif
