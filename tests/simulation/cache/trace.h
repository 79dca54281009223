/* Prints events line by line: time, client, call, key, reply. Silent unless the world has a trace file. For humans
 * only. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "cache/world.h"

void sim_trace_effect(const sim_world *world, const sim_client *client, const sim_request *request,
	const sim_answer *answer);
void sim_trace_event(const sim_client *client, const char *text);
void sim_trace_begun(const sim_client *client, const sim_entry *entry);
void sim_trace_ended(const sim_client *client, const sim_entry *entry);
/* Prints the clients and their clocks. */
void sim_trace_scenario(const sim_world *world);

#endif
