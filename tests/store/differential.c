/* A random walk through the operations of store.h that two stores take together. Few keys and
 * short, number-like values, so that the calls meet each other and the rules for numbers are
 * used. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "differential.h"

#include "../../src/store/memory/store_memory.h"

enum {
	STEPS = 20000,
	KEYS = 4,
	TTLS = 6,
	LENGTH_MAX = 24,
};

/* The cas ids of both. Calls that take one differ, also in how many, from one memcached to the next. But
 * always: an item has another and larger one when it was changed, and only then. */
typedef struct cas_ids {
	uint64_t model, real;
} cas_ids;

typedef struct pair {
	mcp_store *model;
	mcp_store *real;
	cas_ids last_read[KEYS];
	uint64_t random;
	uint64_t seed;
	int step;
} pair;

/* Draws by splitmix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014). */
static uint64_t draw(pair *stores, uint64_t below) {
	uint64_t mixed = stores->random += 0x9e3779b97f4a7c15ull;
	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ull;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebull;
	return (mixed ^ (mixed >> 31)) % below;
}

static mcp_key key_of(size_t number) {
	static const char *const names[KEYS] = {"a", "b", "c", "d_increment"};
	mcp_bytes wire = mcp_bytes_of(names[number], strlen(names[number]));
	return (mcp_key){.wire = wire, .route = wire};
}

static void assert_same(const pair *stores, const char *call, uint64_t model, uint64_t real) {
	if (model != real) {
		fail_msg("%s: %llu in the model, %llu in reality (seed %llu, step %d)", call,
			(unsigned long long)model, (unsigned long long)real, (unsigned long long)stores->seed,
			stores->step);
	}
}

/* Drops the spaces, which are not compared here: a number that became shorter is padded with them only when
 * nobody else holds the item, which memcached's own threads do now and then. */
static mcp_bytes without_padding(mcp_bytes value) {
	while (value.length > 0 && value.data[value.length - 1] == ' ') {
		value.length--;
	}
	return value;
}

static void compare_cas_ids(pair *stores, size_t number, cas_ids read) {
	cas_ids *last = &stores->last_read[number];
	assert_same(stores, "same cas id", read.model == last->model, read.real == last->real);
	assert_same(stores, "no smaller cas id", read.model >= last->model, read.real >= last->real);
	*last = read;
}

static void compare_items(pair *stores, size_t number, const mcp_item *model,
	const mcp_item *real) {
	mcp_bytes model_value = without_padding(model->value);
	mcp_bytes real_value = without_padding(real->value);
	assert_same(stores, "length", model_value.length, real_value.length);
	assert_same(stores, "equal bytes", 1, mcp_bytes_equal(model_value, real_value));
	assert_same(stores, "flags", model->flags, real->flags);
	compare_cas_ids(stores, number, (cas_ids){model->cas, real->cas});
}

static void get(pair *stores, size_t number) {
	mcp_key key = key_of(number);
	mcp_item model;
	mcp_item real;
	mcp_status status = mcp_store_get(stores->model, &key, &model);
	assert_same(stores, "get", status, mcp_store_get(stores->real, &key, &real));
	if (status == MCP_OK) {
		compare_items(stores, number, &model, &real);
	}
}

static void get_many(pair *stores) {
	mcp_key keys[KEYS];
	mcp_op model[KEYS];
	mcp_op real[KEYS];
	for (size_t i = 0; i < KEYS; i++) {
		keys[i] = key_of(KEYS - 1 - i);
	}
	mcp_store_get_many(stores->model, keys, KEYS, model);
	mcp_store_get_many(stores->real, keys, KEYS, real);
	for (size_t i = 0; i < KEYS; i++) {
		assert_same(stores, "get_many", model[i].status, real[i].status);
		if (model[i].status == MCP_OK) {
			compare_items(stores, KEYS - 1 - i, &model[i].item, &real[i].item);
		}
	}
}

/* Draws mostly a number of some length; sometimes anything that looks like one. */
static mcp_record draw_record(pair *stores, char bytes[LENGTH_MAX]) {
	static const char alphabet[] = "0123456789 1289 -+x\t";
	static const uint64_t ttls_ms[TTLS] = {0, 0, 600000, 1000000000, 2592000000ull, 10000000000ull};
	size_t length = draw(stores, LENGTH_MAX);
	uint64_t letters = draw(stores, 4) == 0 ? sizeof(alphabet) - 1 : 10;
	for (size_t i = 0; i < length; i++) {
		bytes[i] = alphabet[draw(stores, letters)];
	}
	size_t split = draw(stores, length + 1);
	return (mcp_record){
		.head = mcp_bytes_of(bytes, split),
		.body = mcp_bytes_of(bytes + split, length - split),
		.flags = (uint32_t)draw(stores, UINT32_MAX),
		.ttl_ms = ttls_ms[draw(stores, TTLS)],
	};
}

static void write(pair *stores, size_t number) {
	char bytes[LENGTH_MAX];
	mcp_key key = key_of(number);
	mcp_record record = draw_record(stores, bytes);
	cas_ids cas = stores->last_read[draw(stores, 8) == 0 ? draw(stores, KEYS) : number];
	uint64_t kind = draw(stores, 3);
	if (kind == 0) {
		assert_same(stores, "set", mcp_store_set(stores->model, &key, &record),
			mcp_store_set(stores->real, &key, &record));
	} else if (kind == 1) {
		assert_same(stores, "add", mcp_store_add(stores->model, &key, &record),
			mcp_store_add(stores->real, &key, &record));
	} else {
		assert_same(stores, "cas", mcp_store_cas(stores->model, &key, &record, cas.model),
			mcp_store_cas(stores->real, &key, &record, cas.real));
	}
}

static bool is_blank(mcp_bytes value) {
	size_t blanks = 0;
	while (blanks < value.length && (value.data[blanks] == ' ' || value.data[blanks] == '\t')) {
		blanks++;
	}
	return blanks == value.length;
}

/* Finds the two kinds of value for which memcached's answer is not a function of its past, because its parser
 * reads on into what the memory behind the value held before: above 2^63, looking for a minus sign, and behind
 * blanks, looking for digits. */
static bool is_unpredictable(const pair *stores, const mcp_key *key) {
	mcp_item item;
	uint64_t number = 0;
	if (mcp_store_get(stores->model, key, &item) != MCP_OK) {
		return false;
	}
	mcp_memory_number_parse(item.value, &number);
	return is_blank(item.value) || number > INT64_MAX;
}

static void calculate(pair *stores, size_t number) {
	static const uint64_t steps[] = {0, 1, 7, 95, 4294967301ull, INT64_MAX, UINT64_MAX};
	mcp_key key = key_of(number);
	if (is_unpredictable(stores, &key)) {
		return;
	}
	uint64_t by = steps[draw(stores, sizeof(steps) / sizeof(*steps))];
	uint64_t model = 0;
	uint64_t real = 0;
	mcp_status status;
	if (draw(stores, 2) == 0) {
		status = mcp_store_increment(stores->model, &key, by, &model);
		assert_same(stores, "incr", status, mcp_store_increment(stores->real, &key, by, &real));
	} else {
		status = mcp_store_decrement(stores->model, &key, by, &model);
		assert_same(stores, "decr", status, mcp_store_decrement(stores->real, &key, by, &real));
	}
	if (status == MCP_OK) {
		assert_same(stores, "number", model, real);
	}
}

static void remove_or_touch(pair *stores, size_t number) {
	mcp_key key = key_of(number);
	cas_ids cas = stores->last_read[number];
	uint64_t kind = draw(stores, 4);
	if (kind == 0) {
		assert_same(stores, "delete", mcp_store_delete(stores->model, &key),
			mcp_store_delete(stores->real, &key));
	} else if (kind == 1) {
		assert_same(stores, "delete_if", mcp_store_delete_if(stores->model, &key, cas.model),
			mcp_store_delete_if(stores->real, &key, cas.real));
	} else {
		assert_same(stores, "touch", mcp_store_touch(stores->model, &key, 900000),
			mcp_store_touch(stores->real, &key, 900000));
	}
}

static void take_a_step(pair *stores) {
	size_t number = draw(stores, KEYS);
	uint64_t kind = draw(stores, 100);
	if (kind < 30) {
		get(stores, number);
	} else if (kind < 35) {
		get_many(stores);
	} else if (kind < 65) {
		write(stores, number);
	} else if (kind < 90) {
		calculate(stores, number);
	} else if (kind < 99) {
		remove_or_touch(stores, number);
	} else if (draw(stores, 10) == 0) {
		assert_same(stores, "flush", mcp_store_flush(stores->model), mcp_store_flush(stores->real));
	}
}

/* Aligns the ids, whose place is known from one write to each; there is no 0 to begin with. */
static void align(pair *stores) {
	mcp_key key = key_of(0);
	mcp_record record = {.body = mcp_bytes_of("0", 1)};
	mcp_item model = {.cas = 0};
	mcp_item real = {.cas = 0};
	assert_same(stores, "set", mcp_store_set(stores->model, &key, &record),
		mcp_store_set(stores->real, &key, &record));
	assert_same(stores, "get", mcp_store_get(stores->model, &key, &model),
		mcp_store_get(stores->real, &key, &real));
	for (size_t i = 0; i < KEYS; i++) {
		stores->last_read[i] = (cas_ids){model.cas, real.cas};
	}
}

void differential_run(mcp_store *model, mcp_store *real, uint64_t seed) {
	pair stores = {.model = model, .real = real, .random = seed, .seed = seed};
	mcp_store_flush(model);
	mcp_store_flush(real);
	align(&stores);
	for (stores.step = 0; stores.step < STEPS; stores.step++) {
		take_a_step(&stores);
	}
}
