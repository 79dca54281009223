/* Discovery: 4 processes of a host share a record of the discovery registry and follow the server list of an
 * endpoint. They start, ask, wait, stop and crash between any 2 words that they read or write. The endpoint changes
 * its list, returns an older or wrong one, is recreated or does not reply. G1 to G6 of docs/spec/discovery.md, and G7.4
 * without versions. */
/* SPDX-License-Identifier: MIT */
#include "patterns/discovery/discovered.h"
#include "plain/client.h"
#include "plain/families/families.h"
#include "plain/interleaved.h"

#include <inttypes.h>

enum {
	PROCESSES = 4,
	ROUNDS = 12,
	REPEATS = 10,
	LISTS_MAX = 64,
	ANSWERS_MAX = 128,
	MINUTE_MS = MCP_BOARD_MINUTE_MS,
	CONNECT_MS = 100,
	RETRY_MS = 3000,
	NAP_MS = 40, /* for a pause of 1 ms, because the processes have other work */
};

typedef enum mood {
	CHANGING,
	GOING_BACK,  /* sometimes to older versions */
	LYING,       /* once, with a version that never existed */
	MADE_ANEW,   /* once, with versions from 1 again */
	UNVERSIONED, /* as DNS, and sometimes older */
	MOODS
} mood;

typedef struct process {
	mcp_discovered known;
	mcp_discovered_settings settings;
	uint64_t read_ms;                      /* its last clock reading */
	uint64_t turn_begins_ms, turn_ends_ms; /* of its last request; 0: none */
	bool asks, has_asked;                  /* now; in this call */
	unsigned held;      /* index of the list valid at the start of this call, or returned */
	int answer;         /* of that request; -1: none */
	uint64_t waited_ms; /* in this call */
	uint64_t waits_not_before_ms;
} process;

/* The replies of the endpoint, in order. */
typedef struct answer {
	unsigned list;
	unsigned process;
	bool is_settled; /* its process has finished handling it */
	bool is_void;    /* its turn had expired */
} answer;

static struct {
	mcp_discovery_registry_record record;
	process processes[PROCESSES];
	mood mood;
	bool was_odd;  /* it returned a wrong list, or was recreated */
	unsigned life; /* number of recreations of the endpoint */
	uint64_t version;
	unsigned list_count;
	mcp_cluster lists[LISTS_MAX];
	unsigned answer_count;
	answer answers[ANSWERS_MAX];
	uint64_t edition; /* of the valid list */
	unsigned published_count;
	unsigned published[ANSWERS_MAX]; /* lists in the order in which they became valid */
	unsigned replaced[LISTS_MAX];    /* number of replies at the last replacement of each list */
	uint64_t answered_ms; /* end of the last turn with a reply, which is good for 1 minute */
	bool is_judged;       /* now: no other client runs */
} state;

/* --- atomic words --- */

/* Lets others run, and this process stop or crash. A search does so only at changes of a word. */
static void interleave(bool is_change) {
	static const uint32_t pauses_ms[] = {1, 1000, 3000, MINUTE_MS, 3 * MINUTE_MS};
	plain_client *client = plain_running();
	if (client == NULL || client->world->is_quiet || state.is_judged) {
		return;
	}
	plain_world *world = client->world;
	sim_choices *choices = world->choices;
	if (choices->is_search ? is_change : sim_chance(choices, is_change ? 15 : 4)) {
		plain_give_way(client);
	}
	if (choices->is_search || world->fault_budget == 0 || !sim_chance(choices, 1)) {
		return;
	}
	world->fault_budget--;
	if (sim_chance(choices, 25)) {
		plain_client_die(client);
	}
	uint32_t pause_ms = pauses_ms[sim_choose(choices, sizeof(pauses_ms) / sizeof(*pauses_ms))];
	plain_trace(world, "client %u stands still for %u ms", client->index, pause_ms);
	plain_sleep(client, pause_ms);
}

uint64_t plain_interleaved_load(const mcp_atomic_u64 *word) {
	interleave(false);
	return *word;
}

bool plain_interleaved_exchange(mcp_atomic_u64 *word, uint64_t *expected, uint64_t value) {
	interleave(true);
	uint64_t found = *word;
	bool is_exchanged = found == *expected;
	*expected = found;
	if (is_exchanged) {
		*word = value;
	}
	return is_exchanged;
}

/* --- the endpoint --- */

static bool is_same(const mcp_cluster *cluster, const mcp_cluster *other) {
	return (state.mood == UNVERSIONED || cluster->version == other->version) &&
		cluster->length == other->length && cluster->servers == other->servers &&
		memcmp(cluster->text, other->text, cluster->length) == 0;
}

/* Returns the list's number. LISTS_MAX: the endpoint never had it. */
static unsigned number_of(const mcp_cluster *cluster) {
	unsigned number = 0;
	while (number < state.list_count && !is_same(&state.lists[number], cluster)) {
		number++;
	}
	return number < state.list_count ? number : LISTS_MAX;
}

/* Creates a list with distinguishable server names and another length than the previous list. */
static void change_list(uint64_t version, const char *name) {
	if (state.list_count == LISTS_MAX) {
		return;
	}
	mcp_cluster *list = &state.lists[state.list_count];
	*list = (mcp_cluster){.version = version, .servers = 1 + state.list_count % 2};
	list->length = (size_t)snprintf(list->text, sizeof(list->text), "%s-%u-%" PRIu64 "%.*s:1", name,
		state.life, version, 5 * (int)(state.list_count % 3), "0123456789");
	state.list_count++;
}

/* Decides, with a seed, what the endpoint does before it is asked. */
static void go_on(sim_choices *choices) {
	if (state.mood == MADE_ANEW && !state.was_odd && sim_chance(choices, 15)) {
		state.was_odd = true;
		state.life++;
		state.version = 1 + sim_choose(choices, 2);
		change_list(state.version, "new");
	} else if (!(state.mood >= LYING && state.was_odd) && sim_chance(choices, 30)) {
		change_list(++state.version, "list");
	}
}

/* Returns the list that the endpoint returns now; -1: none. */
static int tell(plain_client *client) {
	sim_choices *choices = client->world->choices;
	if (client->world->is_quiet || client->world->variant > 0) {
		return (int)state.list_count - 1;
	}
	go_on(choices);
	if (sim_chance(choices, 12)) {
		return -1;
	}
	int last = (int)state.list_count - 1;
	if (state.mood == LYING && !state.was_odd && sim_chance(choices, 20)) {
		state.was_odd = true;
		change_list(UINT64_MAX, "lie");
		int lie = (int)state.list_count - 1;
		change_list(++state.version, "list");
		return lie;
	}
	bool goes_back =
		sim_chance(choices, state.mood == GOING_BACK || state.mood == UNVERSIONED ? 40 : 2);
	return goes_back ? (int)sim_choose(choices, (unsigned)last + 1) : last;
}

/* --- the registry, as checked --- */

/* Returns the position of the last time that this list became valid; 0: never. */
static unsigned place_of(unsigned list) {
	unsigned place = state.published_count;
	while (place > 0 && state.published[place - 1] != list) {
		place--;
	}
	return place;
}

/* True if a list was returned 10 times in a row. Replies that their processes could not, or did not yet, handle are
 * ignored. */
static bool was_repeated(unsigned list) {
	unsigned times = 0;
	for (unsigned i = state.answer_count; i > 0; i--) {
		const answer *received = &state.answers[i - 1];
		if (received->list == list) {
			times++;
		} else if (received->is_settled && !received->is_void) {
			break;
		}
	}
	return times >= REPEATS || state.answer_count == ANSWERS_MAX;
}

/* True if a previous list was returned again after its replacement. */
static bool was_told_again(unsigned list) {
	for (unsigned i = state.replaced[list]; i < state.answer_count; i++) {
		if (state.answers[i].list == list) {
			return true;
		}
	}
	return state.answer_count == ANSWERS_MAX;
}

static void judge_published(plain_world *world, const mcp_discovery_registry_list *list) {
	unsigned number = number_of(&list->cluster);
	if (number == LISTS_MAX) {
		plain_fail(world, "G2", "a list holds that was never told: %.*s", (int)list->cluster.length,
			list->cluster.text);
		return;
	}
	plain_trace(world, "%.*s holds", (int)list->cluster.length, list->cluster.text);
	unsigned before = state.published_count > 0 ? state.published[state.published_count - 1] : 0;
	bool is_lower = state.mood != UNVERSIONED && state.published_count > 0 &&
		list->cluster.version < state.lists[before].version;
	if (is_lower && !was_repeated(number)) {
		plain_fail(world, list->after != 0 ? "G5" : "G1", "%.*s holds in the place of %.*s",
			(int)list->cluster.length, list->cluster.text, (int)state.lists[before].length,
			state.lists[before].text);
	}
	if (is_lower && list->after != state.lists[before].version) {
		plain_fail(world, "G5", "it is not said what was believed less");
	}
	if (place_of(number) > 0 && number != before && !was_told_again(number)) {
		plain_fail(world, "G1", "%.*s is back", (int)list->cluster.length, list->cluster.text);
	}
	state.replaced[before] = state.answer_count;
	if (state.published_count < ANSWERS_MAX) {
		state.published[state.published_count++] = number;
	}
}

/* After each step, the valid list can be read (G2). */
static void check(plain_world *world) {
	mcp_discovery_registry_list list;
	uint64_t edition;
	state.is_judged = true;
	bool is_read = mcp_discovery_registry_read(&state.record, &list, &edition);
	state.is_judged = false;
	if (!is_read && (edition != 0 || state.edition != 0)) {
		plain_fail(world, "G2", "the list that holds cannot be read");
	} else if (is_read && edition != state.edition) {
		state.edition = edition;
		judge_published(world, &list);
	}
}

/* --- processes --- */

static process *process_of(const plain_client *client) {
	return &state.processes[client->index];
}

static uint64_t turn_ms(const process *self) {
	uint64_t needed_ms = self->settings.connect_timeout_ms + 2 * self->settings.timeout_ms + 1000;
	return needed_ms < MINUTE_MS - 1 ? needed_ms : MINUTE_MS - 1;
}

/* No other process has a turn, and the turn is due (G4). */
static void check_turn(plain_client *client) {
	process *self = process_of(client);
	for (unsigned i = 0; i < PROCESSES; i++) {
		const process *other = &state.processes[i];
		if (other != self && other->asks && self->read_ms >= other->turn_begins_ms &&
			self->read_ms < other->turn_ends_ms) {
			plain_fail(client->world, "G4", "client %u asks in the turn of client %u",
				client->index, i);
		}
	}
	if (state.answered_ms > 0 && self->read_ms >= state.answered_ms &&
		self->read_ms < state.answered_ms + MINUTE_MS) {
		plain_fail(client->world, "G4", "client %u asks within the minute", client->index);
	}
}

static mcp_status ask(void *context, mcp_cluster *cluster, mcp_reason *reason) {
	plain_client *client = context;
	process *self = process_of(client);
	sim_choices *choices = client->world->choices;
	check(client->world);
	check_turn(client);
	self->asks = self->has_asked = true;
	self->turn_begins_ms = self->read_ms;
	self->turn_ends_ms = self->read_ms + turn_ms(self);
	plain_sleep(client, sim_choose(choices, 3) * CONNECT_MS / 2);
	int list = tell(client);
	bool is_slow =
		!client->world->is_quiet && client->world->variant == 0 && sim_chance(choices, 10);
	plain_sleep(client, is_slow ? 2 * self->settings.timeout_ms + 2000 : CONNECT_MS);
	self->asks = false;
	self->held = state.published_count;
	if (list < 0) {
		mcp_reason_say(reason, "did not answer");
		plain_trace(client->world, "client %u is not answered", client->index);
		return MCP_TIMEOUT;
	}
	*cluster = state.lists[list];
	plain_trace(client->world, "client %u is told %.*s", client->index, (int)cluster->length,
		cluster->text);
	if (state.answer_count < ANSWERS_MAX) {
		self->answer = (int)state.answer_count;
		state.answers[state.answer_count++] =
			(answer){.list = (unsigned)list, .process = client->index};
	}
	return MCP_OK;
}

static bool is_usable(void *context, const mcp_cluster *cluster) {
	return cluster->servers > 0;
}

static uint64_t monotonic_ms(const mcp_environment *environment) {
	const plain_client *client = environment->context;
	return process_of(client)->read_ms = client->world->now_ms;
}

/* Checks each wait for another process (G3). */
static void sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	plain_client *client = environment->context;
	process *self = process_of(client);
	uint64_t most_ms = self->settings.connect_timeout_ms + self->settings.timeout_ms;
	if (client->world->now_ms < self->waits_not_before_ms) {
		plain_fail(client->world, "G3", "client %u waits again", client->index);
	}
	self->waited_ms += NAP_MS * duration_ms;
	if (self->waited_ms >= most_ms + NAP_MS) {
		plain_fail(client->world, "G3", "client %u waits for %" PRIu64 " ms", client->index,
			self->waited_ms);
	}
	plain_sleep(client, NAP_MS * duration_ms);
}

static void begin_process(plain_client *client) {
	process *self = process_of(client);
	self->known = (mcp_discovered){.record = &state.record};
	self->waits_not_before_ms = 0;
}

/* Checks what a process knows after a renewal, given its knowledge `before`. */
static void judge_known(plain_client *client, const mcp_discovery_registry_list *before) {
	const process *self = process_of(client);
	const mcp_cluster *known = &self->known.list.cluster;
	unsigned held = self->held;
	if (!mcp_discovered_is_known(&self->known)) {
		if (held > 0) {
			plain_fail(client->world, "G1", "client %u knows none", client->index);
		}
		return;
	}
	unsigned number = number_of(known);
	if (number == LISTS_MAX) {
		plain_fail(client->world, "G2", "client %u knows what was never told", client->index);
		return;
	}
	bool goes_back =
		known->version < before->cluster.version && self->known.list.era == before->era;
	if (goes_back ||
		(place_of(number) < held &&
			(state.mood == UNVERSIONED ||
				known->version <= state.lists[state.published[held - 1]].version))) {
		plain_fail(client->world, "G1", "client %u knows %.*s", client->index, (int)known->length,
			known->text);
	}
	bool had_turn = self->has_asked && client->world->now_ms < self->turn_ends_ms;
	if (had_turn && place_of(number) == 0) {
		plain_fail(client->world, "G6", "client %u has kept %.*s to itself", client->index,
			(int)known->length, known->text);
	}
}

static void settle(plain_client *client) {
	process *self = process_of(client);
	bool is_void = client->world->now_ms >= self->turn_ends_ms;
	if (self->answer >= 0) {
		state.answers[self->answer].is_settled = true;
		state.answers[self->answer].is_void = is_void;
		state.answered_ms = is_void ? 0 : self->read_ms;
	}
	self->answer = -1;
	self->has_asked = false;
}

static void renew(plain_client *client) {
	process *self = process_of(client);
	mcp_discovery_registry_list before = self->known.list;
	self->held = state.published_count;
	self->waited_ms = 0;
	mcp_discovered_renew(&self->known, &self->settings);
	check(client->world);
	judge_known(client, &before);
	settle(client);
	uint64_t most_ms = self->settings.connect_timeout_ms + self->settings.timeout_ms;
	if (self->waited_ms >= most_ms && !mcp_discovered_is_known(&self->known)) {
		self->waits_not_before_ms = client->world->now_ms + RETRY_MS;
	}
}

/* --- runs --- */

static void act_at_random(plain_client *client) {
	static const uint32_t naps_ms[] = {0, 1, 500, 20000, MINUTE_MS, MINUTE_MS + 1000};
	sim_choices *choices = client->world->choices;
	plain_sleep(client, naps_ms[sim_choose(choices, sizeof(naps_ms) / sizeof(*naps_ms))]);
	bool is_new = sim_chance(choices, 15);
	if (is_new) {
		begin_process(client);
	}
	if (is_new || mcp_discovered_is_outdated(&process_of(client)->known, &client->environment)) {
		renew(client);
	}
}

/* 2 processes start together while the endpoint changes its list. In programs 2 and 3, one of them stops during its
 * turn. */
static void run(plain_client *client) {
	unsigned variant = client->world->variant;
	if (client->index > 1) {
		return;
	}
	renew(client);
	if (variant > 1 && client->index == 1) {
		plain_sleep(client, MINUTE_MS + 1000);
		change_list(++state.version, "list");
		begin_process(client);
		renew(client);
	}
	if (variant > 2 && client->index == 0) {
		plain_sleep(client, MINUTE_MS + 500);
		renew(client);
	}
}

static void prepare(plain_world *world) {
	static const uint32_t timeouts_ms[PROCESSES] = {200, 200, 5000, 60000};
	memset((void *)&state, 0, sizeof(state));
	state.mood = (mood)sim_choose(world->choices, world->variant == 0 ? MOODS : 1);
	state.version = 5;
	change_list(state.version, "list");
	for (unsigned i = 0; i < PROCESSES; i++) {
		plain_client *client = &world->clients[i];
		client->environment.monotonic_ms = monotonic_ms;
		client->environment.sleep_ms = sleep_ms;
		begin_process(client);
		state.processes[i].answer = -1;
		state.processes[i].settings = (mcp_discovered_settings){
			.environment = &client->environment,
			.connect_timeout_ms = CONNECT_MS,
			.timeout_ms = timeouts_ms[i],
			.retry_after_ms = RETRY_MS,
			.refresh_ms = MINUTE_MS,
			.ask = ask,
			.is_unversioned = state.mood == UNVERSIONED,
			.is_usable = is_usable,
			.context = client,
		};
	}
}

/* All processes accept a correct endpoint at the latest 10 minutes after its last wrong list was published. New
 * processes replace crashed ones. */
static void finish(plain_world *world) {
	unsigned truth = state.list_count - 1;
	for (unsigned i = 0; i < PROCESSES; i++) {
		if (world->clients[i].is_dead) {
			begin_process(&world->clients[i]);
		}
	}
	for (unsigned minute = 0; minute < REPEATS + 2 * PROCESSES; minute++) {
		plain_pass(world, MINUTE_MS + 1000);
		process *self = &state.processes[minute % PROCESSES];
		self->waits_not_before_ms = self->waited_ms = 0;
		mcp_discovered_renew(&self->known, &self->settings);
		settle(&world->clients[minute % PROCESSES]);
		check(world);
	}
	for (unsigned i = 0; i < PROCESSES; i++) {
		process *self = &state.processes[i];
		mcp_discovered_renew(&self->known, &self->settings);
		if (number_of(&self->known.list.cluster) != truth) {
			plain_fail(world, "liveness", "client %u does not know the endpoint's list", i);
		}
	}
}

const plain_family plain_board = {
	.client_count = PROCESSES,
	PLAIN_JUMPS(1000, 20000, 61000),
	.prepare = prepare,
	.act = act_at_random,
	.rounds = ROUNDS,
	.run = run,
	.check = check,
	.finish = finish,
};
