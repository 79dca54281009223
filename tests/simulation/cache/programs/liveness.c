/* The probe reads like a patient caller, is elected after a limited number of leases, computes for 3 leases,
 * stores, and must find its value fresh. Other clients can take over its claim meanwhile. */
/* SPDX-License-Identifier: MIT */
#include "cache/programs/liveness.h"

#include "cache/client.h"
#include "cache/judges/judge.h"
#include "cache/programs/programs.h"

enum {
	/* The slow rebuild of C3. */
	LEASES_TO_COMPUTE = 3,
	/* A claim or a pause takes up to 1 lease, and a clock difference another one. */
	TRIES_MAX = 6,
};

static void start(sim_world *world, unsigned index, sim_program program, unsigned key) {
	sim_scenario *scenario = world->scenario;
	sim_client *client = &world->clients[index];
	uint32_t lease_ms = scenario->lease_ms;
	client->probe = (sim_task){
		.program = program,
		.client = (uint8_t)index,
		.key = (uint8_t)key,
		.value_kind = SIM_TEXT,
		.compute_ms = LEASES_TO_COMPUTE * lease_ms,
		.lifetime = {.ttl_ms = 100 * (uint64_t)lease_ms, .grace_ms = lease_ms},
	};
	/* A rebuild of 3 leases means 3 of its own leases. */
	client->cache.lease_ms = lease_ms;
	sim_world_start_probe(world, client);
}

static void end_outages(sim_world *world) {
	for (unsigned i = 0; i < world->server_count; i++) {
		world->down_until_ms[i] = world->frozen_until_ms[i] = world->full_until_ms[i] = 0;
		for (unsigned j = 0; j < SIM_CLIENTS_MAX; j++) {
			world->clients[j].members[i].cut_until_ms = 0;
		}
	}
}

void sim_liveness_begin(sim_world *world) {
	const sim_scenario *scenario = world->scenario;
	world->is_probing = true;
	end_outages(world);
	for (unsigned i = 0; i < world->client_count; i++) {
		sim_client *client = &world->clients[i];
		if (client->phase != SIM_DONE && scenario->kills_at_probe) {
			sim_world_kill(world, client);
		}
	}
	world->is_quiet =
		(scenario->kills_at_probe || scenario->ends_at_ms == 0) && world->late_count == 0;
	/* The probe is an additional client with its own clock. Idle clients take over. */
	unsigned probe = world->client_count++;
	start(world, probe, SIM_DO_PROBE, scenario->probe_key);
	for (unsigned i = 0; i < scenario->probers && i < probe; i++) {
		if (world->clients[i].phase == SIM_DONE) {
			start(world, i, SIM_DO_TAKE_OVER, scenario->probe_key);
		}
	}
}

void sim_liveness_end(sim_world *world) {
	for (unsigned i = 0; i < world->client_count && !sim_world_has_failed(world); i++) {
		if (world->clients[i].phase != SIM_DONE) {
			sim_world_fail(world, "liveness", "client %u never comes to an end", i);
		}
	}
	if (!sim_world_has_failed(world)) {
		sim_judge_history(world);
	}
}

/* One read, as remember() does. */
static sim_entry *ask(sim_client *client, const sim_task *task, mcp_cache_entry *found) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_REMEMBER, task->key);
	if (entry == NULL) {
		return NULL;
	}
	mcp_key key = sim_key(task->key);
	mcp_remember wishes = {
		.lifetime = task->lifetime,
		.wait_ms = client->world->scenario->wait_ms,
		.serve_stale = true,
	};
	mcp_cache_remember(&client->cache, &key, &wishes, found);
	sim_program_end_found(client, entry, found);
	return entry;
}

static void expire(sim_client *client, unsigned index) {
	sim_entry *entry = sim_program_begin(client, SIM_ENTRY_EXPIRE, index);
	if (entry != NULL) {
		mcp_key key = sim_key(index);
		sim_program_end(client, entry, mcp_cache_expire(&client->cache, &key));
	}
}

static void expect_fresh(sim_client *client, const sim_task *task, mcp_status published) {
	mcp_cache_entry found;
	const sim_entry *entry = ask(client, task, &found);
	if (entry != NULL && client->world->is_quiet && found.verdict != MCP_VERDICT_FRESH &&
		!sim_judge_forgives(client->world)) {
		sim_world_fail(client->world, "liveness",
			"k%u is not fresh after a rebuild of three leases (publish: status %d)", task->key,
			(int)published);
	}
}

/* Rebuilds for an elected caller (others, elected later, can have stored before it ends), or for one that waited
 * too long, whose envelope can be gone. */
static void rebuild(sim_client *client, const sim_task *task, const sim_entry *elected) {
	bool is_alone = client->world->scenario->probers == 0 && client->world->is_quiet &&
		!sim_judge_forgives(client->world);
	sim_program_compute(client, task->compute_ms);
	mcp_status status = sim_program_publish(client, task, elected);
	if (is_alone && status != MCP_OK && !elected->claim.is_overdue) {
		sim_world_fail(client->world, "liveness",
			"a rebuild of three leases of k%u was not stored (status %d)", task->key, (int)status);
	}
	if (!elected->claim.is_overdue) {
		expect_fresh(client, task, status);
	}
}

static void probe(sim_client *client, const sim_task *task) {
	bool has_expired = false;
	for (unsigned i = 0; i < TRIES_MAX; i++) {
		mcp_cache_entry found;
		const sim_entry *entry = ask(client, task, &found);
		if (entry == NULL) {
			return;
		}
		if (sim_entry_is_elected(entry)) {
			rebuild(client, task, entry);
			if (!entry->claim.is_overdue) {
				return;
			}
			continue;
		}
		if (found.trouble == MCP_PAUSED) {
			sim_program_compute(client, client->world->scenario->lease_ms);
			continue;
		}
		if (found.trouble != MCP_OK || found.verdict == MCP_VERDICT_MISS) {
			sim_world_fail(client->world, "liveness", "k%u: nothing, and nobody elected",
				task->key);
			return;
		}
		if (found.verdict == MCP_VERDICT_FRESH && !has_expired) {
			expire(client, task->key);
			has_expired = true;
		} else {
			sim_program_compute(client, client->world->scenario->lease_ms);
		}
	}
	mcp_cache_entry found;
	const sim_entry *entry = ask(client, task, &found);
	if (entry == NULL) {
		return;
	}
	bool is_served = found.verdict == MCP_VERDICT_FRESH || sim_entry_is_elected(entry);
	/* A pause written by a clock far ahead must be waited out. */
	bool is_excused = client->world->scenario->is_wild && found.opening == MCP_OPENING_PAUSED;
	if (client->world->is_quiet && !is_served && !is_excused) {
		sim_world_fail(client->world, "C2", "k%u: nobody is elected for %d leases", task->key,
			(int)TRIES_MAX);
	}
}

static void take_over(sim_client *client, const sim_task *task) {
	for (unsigned i = 0; i < 2; i++) {
		sim_program_compute(client, client->world->scenario->lease_ms * 5 / 4 + client->index);
		mcp_cache_entry found;
		const sim_entry *entry = ask(client, task, &found);
		if (entry != NULL && sim_entry_is_elected(entry)) {
			sim_program_compute(client, task->compute_ms);
			sim_program_publish(client, task, entry);
		}
	}
}

void sim_liveness_run(sim_client *client, const sim_task *task) {
	if (task->program == SIM_DO_PROBE) {
		probe(client, task);
	} else {
		take_over(client, task);
	}
}
