/* The rules for one server: every write is checked, and a sequential model must explain the history in some order. */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/judge.h"

#include "cache/judges/checks.h"
#include "cache/judges/linearize.h"

const sim_judge sim_judge_one_server = {
	.wrote = sim_check_write,
	.ended = sim_check_ended,
	.judged = sim_linearize_check,
};
