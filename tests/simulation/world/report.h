/* The report of what has passed and what has failed so far, and how much is to be said of it. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include <stdbool.h>
#include <stdint.h>

enum { SIM_SHOWN_MAX = 3 };

typedef struct sim_report {
	uint64_t passed, failed;
	unsigned shown;        /* failures with a trace */
	bool is_quiet;         /* no traces */
	bool stops_at_failure; /* for mutants: one is enough */
} sim_report;

static inline void sim_report_count(sim_report *report, bool has_passed) {
	report->passed += has_passed;
	report->failed += !has_passed;
}

/* Tells whether no more is to be tried. */
static inline bool sim_report_is_over(const sim_report *report) {
	return report->failed > 0 && report->stops_at_failure;
}

/* Tells whether the failure just found is to be shown with its trace: the first few are. */
static inline bool sim_report_shows(sim_report *report) {
	return !report->is_quiet && report->shown++ < SIM_SHOWN_MAX;
}

#endif
