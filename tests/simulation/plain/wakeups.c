/* futex(2) for clients of one host. */
/* SPDX-License-Identifier: MIT */
#include "plain/wakeups.h"

#include "plain/near_host.h"
#include "plain/weak_memory.h"

/* Maximum pause. */
enum { PAUSE_MAX_MS = 100 };
/* A host without a wait for this time gets no wake-ups: a stamp and its rounding. */
enum { STAMP_MAX_MS = 1024 + 256 };

static struct {
	mcp_wakeup bells[PLAIN_HOSTS];
	mcp_wakeups places[PLAIN_HOSTS];
	bool is_spoilt;
	struct {
		bool waits;
		uint64_t waited_ms; /* end of its last wait */
		uint64_t read_ms;   /* the clock reading of its wake-up decision */
		bool was_woken;     /* by its last sleep, and it has not slept since */
		uint64_t deaf_ms;   /* duration of the sleep after that */
	} clients[PLAIN_CLIENTS_MAX];
} hosts;

void plain_bells_prepare(void) {
	memset(&hosts, 0, sizeof(hosts));
	plain_weak_prepare();
	for (unsigned i = 0; i < PLAIN_HOSTS; i++) {
		mcp_wakeups_open(&hosts.places[i], &hosts.bells[i], sizeof(hosts.bells[i]));
	}
}

const mcp_wakeups *plain_bells_of(unsigned host) {
	return &hosts.places[host];
}

void plain_bells_spoil(unsigned host, uint64_t random) {
	hosts.is_spoilt = true;
	hosts.bells[host].sequence = (uint32_t)random;
	hosts.bells[host].awaited_until_ms = (random & 1) != 0 ? random : random >> 50;
}

bool plain_bells_are_spoilt(void) {
	return hosts.is_spoilt;
}

void plain_bells_wait(plain_client *client, bool begins) {
	hosts.clients[client->index].waits = begins;
	hosts.clients[client->index].waited_ms = client->world->now_ms;
}

bool plain_bells_sleeps(const plain_client *client) {
	return client->phase == PLAIN_SLEEPING && client->dozes_on != NULL && !client->is_rung &&
		client->due_ms > client->world->now_ms;
}

/* Lets others run between the clock reading and its use. */
static uint64_t bell_ms(const mcp_environment *environment) {
	plain_client *client = environment->context;
	uint64_t now_ms = client->world->now_ms;
	plain_give_way(client);
	hosts.clients[client->index].read_ms = now_ms;
	return now_ms;
}

uint64_t plain_bells_take_deaf_ms(const plain_client *client) {
	uint64_t deaf_ms = hosts.clients[client->index].deaf_ms;
	hosts.clients[client->index].deaf_ms = 0;
	return deaf_ms;
}

static void sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	plain_client *client = environment->context;
	if (hosts.clients[client->index].was_woken && hosts.clients[client->index].deaf_ms == 0) {
		hosts.clients[client->index].deaf_ms = duration_ms;
	}
	plain_sleep(client, duration_ms);
}

static mcp_doze woken(const plain_client *client) {
	hosts.clients[client->index].was_woken = true;
	return MCP_DOZE_WOKEN;
}

static mcp_doze doze(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t noted,
	uint32_t bits, uint64_t end_ms) {
	plain_client *client = environment->context;
	plain_world *world = client->world;
	if (end_ms > hosts.clients[client->index].read_ms + PAUSE_MAX_MS) {
		plain_fail(world, "W2", "client %u would sleep for %llu ms", client->index,
			(unsigned long long)(end_ms - world->now_ms));
	}
	hosts.clients[client->index].was_woken = false;
	plain_give_way(client);
	if (*word != noted) {
		return woken(client);
	}
	if (end_ms <= world->now_ms || mcp_is_interrupted(environment)) {
		return MCP_DOZE_OVER;
	}
	plain_trace(world, "client %u sleeps on the bell", client->index);
	client->dozes_on = (const void *)word;
	client->dozes_for = bits;
	client->is_rung = false;
	plain_sleep(client, (uint32_t)(end_ms - world->now_ms));
	bool was_rung = client->is_rung;
	client->dozes_on = NULL;
	client->is_rung = false;
	return was_rung ? woken(client) : MCP_DOZE_OVER;
}

/* True if a process of the host can have waited recently, at the waker's clock reading (W3). */
static bool was_waited_for(const plain_client *ringer) {
	uint64_t now_ms = hosts.clients[ringer->index].read_ms;
	for (unsigned i = 0; i < ringer->world->family->client_count; i++) {
		const plain_client *client = &ringer->world->clients[i];
		uint64_t until_ms = client->is_dead ? client->died_ms : hosts.clients[i].waited_ms;
		bool waits = hosts.clients[i].waits && !client->is_dead;
		if (plain_host_of(client) == plain_host_of(ringer) &&
			(waits || (until_ms > 0 && now_ms < until_ms + STAMP_MAX_MS))) {
			return true;
		}
	}
	return false;
}

static void wake_those(plain_client *ringer, const mcp_atomic_u32 *word, uint32_t bits,
	bool wakes_one) {
	plain_client *asleep[PLAIN_CLIENTS_MAX];
	unsigned count = 0;
	for (unsigned i = 0; i < ringer->world->family->client_count; i++) {
		plain_client *client = &ringer->world->clients[i];
		if (plain_bells_sleeps(client) && client->dozes_on == (const void *)word &&
			(client->dozes_for & bits) != 0) {
			asleep[count++] = client;
		}
	}
	if (wakes_one && count > 1) {
		asleep[0] = asleep[sim_choose(ringer->world->choices, count)];
		count = 1;
	}
	for (unsigned i = 0; i < count; i++) {
		plain_trace(ringer->world, "client %u wakes client %u", ringer->index, asleep[i]->index);
		asleep[i]->is_rung = true;
	}
}

static void wake(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t bits,
	bool wakes_one) {
	plain_client *client = environment->context;
	if (!hosts.is_spoilt && !client->world->is_quiet && !was_waited_for(client)) {
		plain_fail(client->world, "W3", "client %u rings, and nobody has waited", client->index);
	}
	plain_give_way(client);
	wake_those(client, word, bits, wakes_one);
}

static bool sleeps_anybody(const plain_client *beside) {
	for (unsigned i = 0; i < beside->world->family->client_count; i++) {
		const plain_client *client = &beside->world->clients[i];
		if (plain_host_of(client) == plain_host_of(beside) && plain_bells_sleeps(client)) {
			return true;
		}
	}
	return false;
}

void plain_bells_storm(plain_client *client, unsigned rings) {
	enum { PATIENCE = 5 };
	mcp_wakeup *bell = &hosts.bells[plain_host_of(client)];
	hosts.is_spoilt = true;
	for (unsigned i = 0; i < rings; i++) {
		for (unsigned tries = 0; tries < PATIENCE && !sleeps_anybody(client); tries++) {
			plain_sleep(client, 1);
		}
		bell->sequence++;
		wake_those(client, &bell->sequence, UINT32_MAX, false);
		plain_sleep(client, 1);
	}
}

void plain_bells_give(plain_client *client) {
	client->environment.bell_ms = bell_ms;
	client->environment.sleep_ms = sleep_ms;
	client->environment.doze = doze;
	client->environment.wake = wake;
}
