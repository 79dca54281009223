/* Near cache in shared memory: slots with sequences, found by an index of hints; only the slot says what it
 * holds. */
/* SPDX-License-Identifier: MIT */
#include "shm_cache.h"

/* A slot in shared memory, and the parts that are read while it may be written. */

typedef struct slot_lengths {
	uint32_t key;
	uint32_t value;
	uint32_t payload_at;
	uint32_t flags;
} slot_lengths;

typedef struct slot_head {
	uint64_t hash;
	uint64_t whose;
	uint64_t whose_else;
	uint64_t asked_ms;
	uint64_t until_ms;
	mcp_change_note note;
	mcp_near_facts facts;
	slot_lengths lengths;
} slot_head;

/* The key is after the head, the value after the key at the next multiple of 8. Readers write only
 * `standing`. */
typedef struct slot {
	mcp_atomic_u64 state; /* the sequence: see begin_writing */
	mcp_atomic_u64 standing;
	slot_head head;
} slot;

_Static_assert(sizeof(slot) % 8 == 0 && sizeof(slot) <= 128, "with a short key two lines");

#define ASKED_SET_SIZE (MCP_ASKED_WAYS * sizeof(mcp_atomic_u32))

/* Words of a bucket: a cache line of the processor. */
#define WAYS 8

/* Use of a slot's item, which decides about eviction. */
enum {
	MCP_NEAR_NEW = 0,   /* offered once, and not found since */
	MCP_NEAR_FOUND = 1, /* found since the hand's last visit */
	MCP_NEAR_KNOWN = 2, /* found before that, or offered repeatedly */
};

/* Worth of an item: 0 if invalid, at least MCP_NEAR_DEAR if it was found or offered repeatedly. */
#define MCP_NEAR_DEAR ((uint64_t)1 << 63)

/* Racy read: only the choice of the evicted slot depends on it. */
static inline uint64_t peek(const uint64_t *at) {
	return atomic_load_explicit((const mcp_atomic_u64 *)(const void *)at, memory_order_relaxed);
}

static inline uint64_t standing_of(const slot *of) {
	return atomic_load_explicit(&of->standing, memory_order_relaxed);
}

static inline void set_standing(slot *of, uint64_t standing) {
	atomic_store_explicit(&of->standing, standing, memory_order_relaxed);
}

/* Whether the item is still valid for any reader at the time of the offered one. */
static inline bool counts(const slot *of, const mcp_near_item *given) {
	return given->asked_ms < peek(&of->head.until_ms);
}

static inline uint64_t worth(const slot *of, const mcp_near_item *given) {
	uint64_t is_dear = standing_of(of) != MCP_NEAR_NEW ? MCP_NEAR_DEAR : 0;
	return counts(of, given) ? is_dear | (peek(&of->head.asked_ms) & (MCP_NEAR_DEAR - 1)) : 0;
}

static inline bool is_of(const slot_head *head, const mcp_near_item *item) {
	return peek(&head->whose) == item->whose && peek(&head->whose_else) == item->whose_else;
}

/* Whether the slot has this item, of any time. The given key must fit into the slot. */
static inline bool holds(const slot *of, const mcp_near_item *given) {
	uint32_t key_length;
	mcp_raced_read(&key_length, &of->head.lengths.key, sizeof(key_length));
	return peek(&of->head.hash) == given->hash && is_of(&of->head, given) &&
		key_length == given->key.length &&
		mcp_raced_equal((const char *)(of + 1), given->key.data, given->key.length);
}

/* Layout of the memory: change counters, index, recent hashes, and the slots of each class. */

/* Cache line of the processor; parts are aligned to it. */
#define LINE 64
_Static_assert(WAYS * sizeof(uint64_t) == LINE, "a bucket is a line");

/* Bytes of memory per counter, and slots per bucket. */
#define BYTES_PER_COUNTER 1024
#define COUNTERS_MAX (1u << 16)
#define SLOTS_PER_BUCKET 2
/* Remembered hashes per slot. With fewer, an item that becomes popular counts as new for too long. */
#define ASKED_PER_SLOT 10

static const uint32_t sizes[MCP_NEAR_CLASSES] = {256, 512, 1024, 1536, 2048, 3072, 4096, 6144, 8192,
	12288, 16384, 32768, MCP_NEAR_SLOT_MAX};

/* Minimum slots per class; with fewer they would be evicted before they are useful. */
#define SLOTS_MIN 4

static size_t power_of_two_below(size_t number) {
	size_t power = 1;
	while (power * 2 <= number) {
		power *= 2;
	}
	return power;
}

static size_t round_up(size_t size) {
	return (size + LINE - 1) / LINE * LINE;
}

/* Number of classes, smallest first, that have enough slots with equal shares. */
static unsigned count_classes(size_t bytes) {
	unsigned count = MCP_NEAR_CLASSES;
	while (count > 0 && bytes / count < (size_t)sizes[count - 1] * SLOTS_MIN) {
		count--;
	}
	return count;
}

static size_t count_slots(size_t bytes, unsigned classes) {
	size_t slots = 0;
	for (unsigned i = 0; i < classes; i++) {
		slots += bytes / classes / sizes[i];
	}
	return slots;
}

static void place_classes(mcp_shm_cache *room, char *from, size_t bytes, mcp_atomic_u32 *cursors) {
	size_t share = bytes / room->class_count / LINE * LINE;
	for (unsigned i = 0; i < room->class_count; i++) {
		room->classes[i] = (mcp_near_class){
			.slots = from + i * share,
			.size = sizes[i],
			.count = (uint32_t)(share / sizes[i]),
			.cursor = &cursors[i],
		};
	}
}

/* Divide the memory after the counters into index, recent hashes and slots. */
static bool divide(mcp_shm_cache *room, char *from, size_t bytes, mcp_atomic_u32 *cursors) {
	room->class_count = count_classes(bytes);
	if (room->class_count == 0) {
		return false;
	}
	size_t slots = count_slots(bytes, room->class_count);
	size_t buckets = power_of_two_below(slots / SLOTS_PER_BUCKET + 1);
	size_t sets = slots * ASKED_PER_SLOT / MCP_ASKED_WAYS + 1;
	size_t taken = buckets * LINE + sets * ASKED_SET_SIZE;
	if (bytes <= taken || (bytes - taken) / room->class_count < sizes[room->class_count - 1]) {
		return false;
	}
	room->buckets = (void *)from;
	room->bucket_mask = buckets - 1;
	room->asked = (mcp_asked){(void *)(from + buckets * LINE), (uint32_t)sets};
	place_classes(room, from + taken, bytes - taken, cursors);
	return true;
}

bool mcp_shm_cache_open(mcp_shm_cache *room, void *memory, size_t size) {
	char *at = memory;
	size_t spaces = LINE + round_up(MCP_NEAR_CLASSES * sizeof(uint32_t));
	size_t head = round_up(spaces + MCP_NEAR_NAMESPACES * sizeof(uint64_t));
	size_t counters = power_of_two_below(size / BYTES_PER_COUNTER + 1);
	counters = counters < COUNTERS_MAX ? counters : COUNTERS_MAX;
	size_t taken = head + round_up(counters * sizeof(uint64_t));
	if (size <= taken) {
		return false;
	}
	*room = (mcp_shm_cache){
		.changes = {(void *)at, (void *)(at + head), counters - 1},
		.namespaces = (void *)(at + spaces),
	};
	return divide(room, at + taken, size - taken, (void *)(at + LINE));
}

#define ATTEMPTS_MAX 4

static size_t padded(size_t length) {
	return (length + 7) & ~(size_t)7;
}

/* --- the index --- */

/* A word is 0, or a part of the hash and the location of a slot: its class and its number, from 1. */
#define PLACE_BITS 32
#define CLASS_SHIFT 28
#define NUMBER_MASK ((1u << CLASS_SHIFT) - 1)

static slot *slot_of(const mcp_near_class *class, uint32_t number) {
	return (slot *)(void *)(class->slots + (size_t)number * class->size);
}

/* NULL if the word is invalid. */
static slot *slot_at(const mcp_shm_cache *room, uint64_t word) {
	unsigned class = (uint32_t)word >> CLASS_SHIFT;
	uint32_t number = ((uint32_t)word & NUMBER_MASK) - 1;
	if (class >= room->class_count || number >= room->classes[class].count) {
		return NULL;
	}
	return slot_of(&room->classes[class], number);
}

static mcp_atomic_u64 *bucket_of(const mcp_shm_cache *room, uint64_t hash) {
	return &room->buckets[(hash & room->bucket_mask) * WAYS];
}

static bool has_tag(uint64_t word, uint64_t hash) {
	return word != 0 && word >> PLACE_BITS == hash >> PLACE_BITS;
}

/* Worth of the word's item; 0 if its slot has an item with another hash. */
static uint64_t worth_of(const mcp_shm_cache *room, uint64_t word, const mcp_near_item *given) {
	const slot *found = word != 0 ? slot_at(room, word) : NULL;
	bool is_found = found != NULL && has_tag(word, peek(&found->head.hash));
	return is_found ? worth(found, given) : 0;
}

/* A word of the index for an offered item. */
typedef struct choice {
	mcp_atomic_u64 *word;
	uint64_t before; /* current value */
	uint64_t worth;  /* of the item that is then no longer found; 0: none, or this item */
} choice;

/* Choose the word with the same tag, otherwise the least valuable one. */
static choice choose_word(const mcp_shm_cache *room, const mcp_near_item *given) {
	mcp_atomic_u64 *bucket = bucket_of(room, given->hash);
	choice best = {bucket, 0, UINT64_MAX};
	for (unsigned i = 0; i < WAYS; i++) {
		uint64_t word = atomic_load_explicit(&bucket[i], memory_order_relaxed);
		if (has_tag(word, given->hash)) {
			return (choice){&bucket[i], word, 0};
		}
		uint64_t of_item = worth_of(room, word, given);
		if (of_item < best.worth) {
			best = (choice){&bucket[i], word, of_item};
		}
	}
	return best;
}

/* --- writing --- */

/* The upper half of a slot's state counts the writes. The lower half is the writing process, 0 if none: the
 * number of its namespace and its id. */
#define PID_BITS 22
_Static_assert(MCP_NEAR_PID_MAX == (1u << PID_BITS) - 1, "an id fits");
_Static_assert(MCP_NEAR_NAMESPACES < 1u << (32 - PID_BITS), "so does a namespace's number");

/* Number of a namespace, from 1; 0 if it is unknown or the table is full. */
static uint32_t number_namespace(const mcp_shm_cache *room, uint64_t id) {
	for (uint32_t i = 0; id != 0 && i < MCP_NEAR_NAMESPACES; i++) {
		uint64_t found = atomic_load_explicit(&room->namespaces[i], memory_order_relaxed);
		if (found == 0 && atomic_compare_exchange_strong(&room->namespaces[i], &found, id)) {
			found = id;
		}
		if (found == id) {
			return i + 1;
		}
	}
	return 0;
}

/* Begin a write: no other process writes to the slot until its end. */
static bool begin_writing(slot *to, uint32_t self, const mcp_near_writer *writer, uint64_t *mine) {
	uint64_t found = atomic_load_explicit(&to->state, memory_order_relaxed);
	uint32_t other = (uint32_t)found;
	/* Never judge by time whether the process that began a write is gone: a stopped process may continue. */
	bool is_known = self >> PID_BITS != 0 && self >> PID_BITS == other >> PID_BITS;
	if (other != 0 && (!is_known || other == self || writer->is_alive(other & MCP_NEAR_PID_MAX))) {
		return false;
	}
	*mine = ((found >> 32) + 1) << 32 | self;
	if (!atomic_compare_exchange_strong_explicit(&to->state, &found, *mine, memory_order_acquire,
			memory_order_relaxed)) {
		return false;
	}
	/* The following writes must not become visible before this one. */
	atomic_thread_fence(memory_order_release);
	return true;
}

static void write(slot *to, const mcp_near_item *item) {
	slot_head head = {
		.hash = item->hash,
		.whose = item->whose,
		.whose_else = item->whose_else,
		.asked_ms = item->asked_ms,
		.until_ms = item->until_ms,
		.note = item->note,
		.facts = item->facts,
		.lengths = {(uint32_t)item->key.length, (uint32_t)item->value.length, item->payload_at,
			item->flags},
	};
	char *data = (char *)(to + 1);
	mcp_raced_write(&to->head, &head, sizeof(head));
	mcp_raced_write(data, item->key.data, item->key.length);
	mcp_raced_write(data + padded(item->key.length), item->value.data, item->value.length);
}

/* The smallest class that fits; MCP_NEAR_CLASSES if none. */
static unsigned class_for(const mcp_shm_cache *room, size_t size) {
	for (unsigned i = 0; i < room->class_count; i++) {
		if (size <= room->classes[i].size) {
			return i;
		}
	}
	return MCP_NEAR_CLASSES;
}

/* Maximum slots spared by the hand, and maximum slots searched: these bound the cost, whatever the memory
 * contains. */
#define SPARED_MAX 32
#define LOOKED_AT_MAX 8

/* Advance the hand to a slot that was not found since its last visit; spare the others until the next visit. */
static uint32_t move_hand(const mcp_near_class *class, const mcp_near_item *newcomer) {
	for (int spared = 0;; spared++) {
		uint32_t number =
			atomic_fetch_add_explicit(class->cursor, 1, memory_order_relaxed) % class->count;
		slot *at = slot_of(class, number);
		if (spared == SPARED_MAX || standing_of(at) != MCP_NEAR_FOUND || !counts(at, newcomer)) {
			return number;
		}
		set_standing(at, MCP_NEAR_KNOWN);
	}
}

#define NO_SLOT UINT32_MAX

/* Search from the hand for a slot whose item was not requested twice. The hand advances only if there is
 * one. */
static uint32_t find_place(const mcp_near_class *class, const mcp_near_item *newcomer) {
	uint32_t hand = atomic_load_explicit(class->cursor, memory_order_relaxed);
	for (uint32_t i = 0; i < LOOKED_AT_MAX; i++) {
		uint32_t number = (hand + i) % class->count;
		const slot *at = slot_of(class, number);
		if (worth(at, newcomer) < MCP_NEAR_DEAR) {
			atomic_fetch_add_explicit(class->cursor, i + 1, memory_order_relaxed);
			return number;
		}
	}
	return NO_SLOT;
}

/* State of one keep operation after its choice of a word. */
typedef struct keeping {
	const mcp_near_item *item;
	const mcp_near_class *class;
	choice at;
	uint32_t present; /* slot of the item's current version, or NO_SLOT */
	bool is_known;    /* offered before, or wanted */
} keeping;

/* Returns false if the item is not worth its word. */
static bool begin_keeping(const mcp_shm_cache *room, const mcp_near_item *item, unsigned class,
	keeping *begun) {
	*begun = (keeping){item, &room->classes[class], choose_word(room, item), NO_SLOT, true};
	uint64_t word = begun->at.before;
	const slot *at = has_tag(word, item->hash) ? slot_at(room, word) : NULL;
	if (at != NULL && (uint32_t)word >> CLASS_SHIFT == class && holds(at, item)) {
		begun->present = ((uint32_t)word & NUMBER_MASK) - 1;
		return true;
	}
	begun->is_known = mcp_asked_note(&room->asked, item->hash) || item->is_wanted;
	return begun->is_known || begun->at.worth < MCP_NEAR_DEAR;
}

/* Reuse the slot of the item's current version, so that it does not evict another item; otherwise use the
 * hand. */
static uint32_t choose_number(const keeping *of, int attempt) {
	if (attempt == 0 && of->present != NO_SLOT) {
		return of->present;
	}
	return of->is_known ? move_hand(of->class, of->item) : find_place(of->class, of->item);
}

bool mcp_shm_cache_keep(const mcp_shm_cache *room, const mcp_near_item *item,
	const mcp_near_writer *writer) {
	size_t room_for_value = MCP_NEAR_SLOT_MAX - sizeof(slot) - padded(item->key.length);
	if (item->value.length > room_for_value || writer->pid - 1 >= MCP_NEAR_PID_MAX) {
		return false;
	}
	unsigned class = class_for(room, sizeof(slot) + padded(item->key.length) + item->value.length);
	if (class >= room->class_count) {
		return false;
	}
	uint32_t self = number_namespace(room, writer->namespace_id) << PID_BITS | writer->pid;
	keeping of;
	bool is_worth_it = begin_keeping(room, item, class, &of);
	for (int attempt = 0; is_worth_it && attempt < ATTEMPTS_MAX; attempt++) {
		uint32_t number = choose_number(&of, attempt);
		if (number == NO_SLOT) {
			return false;
		}
		slot *to = slot_of(of.class, number);
		uint64_t mine;
		if (!begin_writing(to, self, writer, &mine)) {
			continue;
		}
		write(to, item);
		/* An item that is offered again must not lose its standing. */
		if (number != of.present || standing_of(to) == MCP_NEAR_NEW) {
			set_standing(to, of.is_known ? MCP_NEAR_KNOWN : MCP_NEAR_NEW);
		}
		if (!atomic_compare_exchange_strong_explicit(&to->state, &mine, mine >> 32 << 32,
				memory_order_release, memory_order_relaxed)) {
			return false;
		}
		uint64_t word = (item->hash >> PLACE_BITS) << PLACE_BITS | (uint64_t) class << CLASS_SHIFT |
			(number + 1);
		atomic_store_explicit(of.at.word, word, memory_order_release);
		return true;
	}
	return false;
}

/* --- reading --- */

/* Whether the key has the requested length, and everything is within the slot. */
static inline bool fit(slot_lengths lengths, size_t key_length, size_t size) {
	size_t before = sizeof(slot) + padded(key_length);
	return lengths.key == key_length && before <= size && lengths.value <= size - before &&
		lengths.payload_at <= lengths.value;
}

/* Read a slot that may change at any time: the result is checked at the end. Read the lengths once, because
 * they must stay as checked. */
static inline bool look_at(const slot *from, size_t size, mcp_near_item *item,
	mcp_near_place *place) {
	uint64_t seen = atomic_load_explicit(&from->state, memory_order_acquire);
	slot_lengths lengths;
	mcp_raced_read(&lengths, &from->head.lengths, sizeof(lengths));
	/* From here on, do not read fields again that were copied. */
	atomic_signal_fence(memory_order_seq_cst);
	const char *key = (const char *)(from + 1);
	if ((uint32_t)seen != 0 || !is_of(&from->head, item) || !fit(lengths, item->key.length, size) ||
		!mcp_raced_equal(key, item->key.data, item->key.length)) {
		return false;
	}
	*place = (mcp_near_place){&from->state, seen, key + padded(item->key.length)};
	item->asked_ms = peek(&from->head.asked_ms);
	mcp_raced_read(&item->note, &from->head.note, sizeof(item->note));
	mcp_raced_read(&item->facts, &from->head.facts, sizeof(item->facts));
	item->flags = lengths.flags;
	item->payload_at = lengths.payload_at;
	item->value = (mcp_bytes){NULL, lengths.value};
	return true;
}

bool mcp_shm_cache_find(const mcp_shm_cache *room, mcp_near_item *item, mcp_near_place *place) {
	mcp_atomic_u64 *bucket = bucket_of(room, item->hash);
	uint64_t tag = item->hash >> PLACE_BITS;
	for (unsigned i = 0; i < WAYS; i++) {
		uint64_t word = atomic_load_explicit(&bucket[i], memory_order_acquire);
		/* A word of 0 is invalid. */
		if (word >> PLACE_BITS != tag) {
			continue;
		}
		slot *found = slot_at(room, word);
		unsigned class = (uint32_t)word >> CLASS_SHIFT;
		if (found != NULL && look_at(found, room->classes[class].size, item, place)) {
			/* Write only once: a written cache line must be fetched again by other processors. */
			if (standing_of(found) != MCP_NEAR_FOUND) {
				set_standing(found, MCP_NEAR_FOUND);
			}
			return true;
		}
	}
	return false;
}
