/* Near cache in shared memory: a log of items in segments, and an index of words that locates the items. */
/* SPDX-License-Identifier: MIT */
#include "shm_cache.h"

/* --- layout: change counters, namespaces, index, recent hashes, and the segments --- */

/* Length of a cache line. Each part begins at a multiple of this length. */
#define LINE 64
_Static_assert(sizeof(mcp_near_segment) == LINE, "writers of one do not slow readers of the next");

/* Number of words of a bucket. */
#define WAYS 8
_Static_assert(WAYS * sizeof(uint64_t) == LINE, "a bucket is a line");

#define ASKED_SET_SIZE (MCP_ASKED_WAYS * sizeof(mcp_atomic_u32))

#define BYTES_PER_COUNTER 1024
#define COUNTERS_MAX (1u << 16)
#define BYTES_PER_BUCKET 1024
#define BYTES_PER_ASKED_SET 2048

#define SEGMENT_BITS_MIN 10
#define SEGMENT_BITS_MAX 17
#define SEGMENTS_MIN 8
/* Number of open segments. Processes that write at the same time use different segments. */
#define OPEN_MAX 4
#define SEGMENTS_PER_OPEN 8

_Static_assert((size_t)1 << (SEGMENT_BITS_MAX - 1) == MCP_NEAR_ITEM_MAX, "half a segment");

/* An item in shared memory. The key follows the head. The value follows the key, at the next multiple of 8. */

typedef struct item_lengths {
	uint32_t key;
	uint32_t value;
	uint32_t payload_at;
	uint32_t flags;
} item_lengths;

typedef struct item_head {
	uint64_t hash;
	uint64_t whose;
	uint64_t whose_else;
	uint64_t asked_ms;
	uint64_t until_ms;
	mcp_change_snapshot snapshot;
	mcp_near_facts facts;
	item_lengths lengths;
} item_head;

_Static_assert(sizeof(item_head) % 8 == 0 && sizeof(item_head) <= 128,
	"with a short key two lines");

static size_t power_of_two_below(size_t number) {
	size_t power = 1;
	while (power * 2 <= number) {
		power *= 2;
	}
	return power;
}

/* Returns the next part of the memory, and moves `at` behind that part. */
static void *take(char **at, size_t size) {
	void *taken = *at;
	*at += (size + LINE - 1) / LINE * LINE;
	return taken;
}

bool mcp_shm_cache_open(mcp_shm_cache *cache, void *memory, size_t size) {
	char *at = memory;
	size_t counters = power_of_two_below(size / BYTES_PER_COUNTER + 1);
	counters = counters < COUNTERS_MAX ? counters : COUNTERS_MAX;
	size_t buckets = size / BYTES_PER_BUCKET + 1, sets = size / BYTES_PER_ASKED_SET + 1;
	unsigned bits = SEGMENT_BITS_MIN;
	while (bits < SEGMENT_BITS_MAX && size >> (bits + 1) >= (size_t)2 * SEGMENTS_MIN) {
		bits++;
	}
	/* One statement for each part: the order of the statements is the layout, which all processes share. */
	void *epoch = take(&at, LINE);
	*cache =
		(mcp_shm_cache){.changes = {epoch, take(&at, counters * sizeof(uint64_t)), counters - 1}};
	cache->namespaces = take(&at, MCP_NEAR_NAMESPACES * sizeof(uint64_t));
	cache->hand = take(&at, LINE);
	cache->open = take(&at, OPEN_MAX * sizeof(uint32_t));
	cache->buckets = take(&at, buckets * LINE);
	cache->bucket_count = (uint32_t)buckets;
	cache->asked = (mcp_asked){take(&at, sets * ASKED_SET_SIZE), (uint32_t)sets};
	cache->segments = take(&at, (size >> bits) * sizeof(mcp_near_segment));
	cache->item_max = (size_t)1 << (bits - 1);
	cache->segment_bits = bits;
	cache->data = at;
	/* After the last segment there is space for an item, because a damaged word can point to the segment's end. */
	size_t taken = (size_t)(at - (char *)memory) + cache->item_max;
	cache->segment_count = size > taken ? (uint32_t)((size - taken) >> bits) : 0;
	cache->data_size = (size_t)cache->segment_count << bits;
	uint32_t open = cache->segment_count / SEGMENTS_PER_OPEN;
	cache->open_count = open < OPEN_MAX ? open : OPEN_MAX;
	return cache->segment_count >= SEGMENTS_MIN;
}

static size_t padded(size_t length) {
	return (length + 7) & ~(size_t)7;
}

/* Racy read of a field. */
static inline uint64_t peek(const uint64_t *at) {
	return atomic_load_explicit((const mcp_atomic_u64 *)(const void *)at, memory_order_relaxed);
}

/* --- the index --- */

/* A word is 0, or consists of a part of the hash, the location of an item in units of 8 bytes, from 1, and a bit. The
 * bit is set if the item was found since the last visit of the hand, which circles over the segments to empty them.
 * Readers write only this bit. */
#define FOUND 1u
#define TAG_SHIFT 32

/* Minimum worth of an item that was found. */
#define DEAR ((uint64_t)1 << 40)

/* Offset of a word's item; for a word of 0, beyond all segments. */
static size_t offset_of(uint64_t word) {
	return (size_t)((uint32_t)word >> 1) * 8 - 8;
}

static mcp_atomic_u64 *bucket_of(const mcp_shm_cache *cache, uint64_t hash) {
	return &cache->buckets[((hash & UINT32_MAX) * cache->bucket_count >> 32) * WAYS];
}

/* The segment that the hand visits next. */
static uint32_t next_segment(const mcp_shm_cache *cache) {
	return (atomic_load_explicit(cache->hand, memory_order_relaxed) + 1) % cache->segment_count;
}

/* Whether the segment has no item that is still valid for any reader at the time of the offered item's read. */
static bool is_over(const mcp_shm_cache *cache, size_t segment, const mcp_near_item *given) {
	return segment >= cache->segment_count ||
		atomic_load_explicit(&cache->segments[segment].until_ms, memory_order_relaxed) <=
		given->asked_ms;
}

/* A word of the index that was chosen for an item. */
typedef struct choice {
	mcp_atomic_u64 *word;
	uint64_t before; /* current value */
	uint64_t worth;  /* worth of the item that loses the word; 0: no item, or one of the same key */
} choice;

/* Worth of the word's item: lower if the item was not found, or if the hand visits the item sooner. */
static uint64_t worth_of(const mcp_shm_cache *cache, uint64_t word, size_t hand,
	const mcp_near_item *given) {
	size_t offset = offset_of(word);
	uint64_t distance = offset + 1 + (offset < hand ? cache->data_size : 0);
	bool is_dear = (word & FOUND) != 0 && !is_over(cache, offset >> cache->segment_bits, given);
	return word != 0 ? distance + (is_dear ? DEAR : 0) : 0;
}

/* Choose the word with the same part of the hash, otherwise the word whose item has the lowest worth. */
static choice choose_word(const mcp_shm_cache *cache, uint64_t hash, const mcp_near_item *given) {
	mcp_atomic_u64 *bucket = bucket_of(cache, hash);
	size_t hand = (size_t)next_segment(cache) << cache->segment_bits;
	choice best = {bucket, 0, UINT64_MAX};
	for (unsigned i = 0; i < WAYS; i++) {
		uint64_t word = atomic_load_explicit(&bucket[i], memory_order_relaxed);
		if (word != 0 && word >> TAG_SHIFT == hash >> TAG_SHIFT) {
			return (choice){&bucket[i], word, 0};
		}
		uint64_t worth = worth_of(cache, word, hand, given);
		if (worth < best.worth) {
			best = (choice){&bucket[i], word, worth};
		}
	}
	return best;
}

static bool is_present(const choice *at) {
	return at->before != 0 && at->worth == 0;
}

/* Publish a written item. Returns false if another process changed the chosen word. */
static bool publish(const choice *at, uint64_t hash, size_t offset, uint64_t found) {
	uint64_t word = hash >> TAG_SHIFT << TAG_SHIFT | (offset / 8 + 1) << 1 | found;
	uint64_t before = at->before;
	return atomic_compare_exchange_strong_explicit(at->word, &before, word, memory_order_release,
		memory_order_relaxed);
}

/* Remove the word of an item. Returns the word's last value; 0 if the item had no word. */
static uint64_t remove_word(const mcp_shm_cache *cache, uint64_t hash, size_t offset) {
	mcp_atomic_u64 *bucket = bucket_of(cache, hash);
	for (unsigned i = 0; i < WAYS; i++) {
		uint64_t word = atomic_load_explicit(&bucket[i], memory_order_relaxed);
		while (offset_of(word) == offset) {
			/* A reader can set the FOUND bit at the same time. */
			if (atomic_compare_exchange_strong_explicit(&bucket[i], &word, 0, memory_order_relaxed,
					memory_order_relaxed)) {
				return word;
			}
		}
	}
	return 0;
}

/* --- writers of segments --- */

/* A segment's state, from the lowest bit: the id of the writing process, the number of its namespace, a count of
 * writes, and the segment's number. The segment's number changes when the segment is emptied. A count that overflows
 * raises this number, which costs a miss. */
#define PID_BITS 22
#define WRITER_BITS 28
#define WRITER_MASK (((uint64_t)1 << WRITER_BITS) - 1)
_Static_assert(MCP_NEAR_PID_MAX == (1u << PID_BITS) - 1, "an id fits");
_Static_assert(MCP_NEAR_NAMESPACES < 1u << (WRITER_BITS - PID_BITS),
	"so does a namespace's number");

/* Number of a namespace, from 1; 0 if it is unknown or the table is full. */
static uint32_t number_namespace(const mcp_shm_cache *cache, uint64_t id) {
	for (uint32_t i = 0; id != 0 && i < MCP_NEAR_NAMESPACES; i++) {
		uint64_t found = atomic_load_explicit(&cache->namespaces[i], memory_order_relaxed);
		if (found == 0 && atomic_compare_exchange_strong(&cache->namespaces[i], &found, id)) {
			found = id;
		}
		if (found == id) {
			return i + 1;
		}
	}
	return 0;
}

/* State of one keep operation. */
typedef struct keeping {
	const mcp_shm_cache *cache;
	const mcp_near_item *item;
	const mcp_near_writer *writer;
	size_t size;
	uint32_t self; /* this writer, in the format of a segment's state */
	bool is_known; /* the item is present, was offered before, or is wanted */
} keeping;

/* Begin a write: no other process writes to the segment until the end of this write. */
static bool begin_writing(const keeping *of, mcp_near_segment *to) {
	uint64_t found = atomic_load_explicit(&to->state, memory_order_relaxed);
	uint32_t other = (uint32_t)(found & WRITER_MASK);
	/* Never conclude from the elapsed time that the process that began a write has exited, because a paused process can
	 * continue. */
	bool is_known = of->self >> PID_BITS != 0 && of->self >> PID_BITS == other >> PID_BITS;
	if (other != 0 &&
		(!is_known || other == of->self || of->writer->is_alive(other & MCP_NEAR_PID_MAX))) {
		return false;
	}
	/* The count is raised, so the exchange fails if another process has taken over the segment since then. */
	uint64_t mine = ((found >> WRITER_BITS) + 1) << WRITER_BITS | of->self;
	bool is_ours = atomic_compare_exchange_strong_explicit(&to->state, &found, mine,
		memory_order_acquire, memory_order_relaxed);
	/* A reader that sees this writer's bytes also sees the number that an earlier writer raised. */
	atomic_thread_fence(memory_order_release);
	return is_ours;
}

static void end_writing(mcp_near_segment *to) {
	uint64_t mine = atomic_load_explicit(&to->state, memory_order_relaxed);
	atomic_store_explicit(&to->state, mine & ~WRITER_MASK, memory_order_release);
}

/* --- segments, between begin and end of a write --- */

static size_t segment_size(const mcp_shm_cache *cache) {
	return (size_t)1 << cache->segment_bits;
}

static size_t used_of(const mcp_shm_cache *cache, const mcp_near_segment *segment) {
	size_t used = atomic_load_explicit(&segment->used, memory_order_acquire);
	return used <= segment_size(cache) ? used & ~(size_t)7 : segment_size(cache);
}

/* Size of the item at `at`, `space` bytes before the end; 0 if no item fits. */
static size_t size_at(const char *at, size_t space) {
	item_lengths lengths;
	if (space < sizeof(item_head)) {
		return 0;
	}
	mcp_raced_read(&lengths, &((const item_head *)(const void *)at)->lengths, sizeof(lengths));
	if (lengths.key > space || lengths.value > space) { /* the sum could overflow 32 bits */
		return 0;
	}
	size_t size = sizeof(item_head) + padded(lengths.key) + padded(lengths.value);
	return size <= space ? size : 0;
}

/* Count a written item as part of the segment. From here on, nothing overwrites the item until the segment is emptied,
 * even if this process is killed. */
static void append(mcp_near_segment *to, size_t used, size_t size, uint64_t until_ms) {
	if (until_ms > atomic_load_explicit(&to->until_ms, memory_order_relaxed)) {
		atomic_store_explicit(&to->until_ms, until_ms, memory_order_relaxed);
	}
	atomic_store_explicit(&to->used, (uint32_t)(used + size), memory_order_release);
}

#define ITEMS_MAX (((size_t)1 << SEGMENT_BITS_MAX) / sizeof(item_head))

/* Set of items, by their index in a segment. */
typedef struct item_set {
	uint64_t bits[ITEMS_MAX / 64 + 1];
} item_set;

/* Remove the words of all items of a segment. Returns which items are spared: those that are valid and were found since
 * the hand's last visit. If the item to keep is known, at most half of the segment is spared. */
static item_set remove_words(const keeping *of, size_t begin, size_t end) {
	const char *data = of->cache->data + begin;
	size_t spared = 0, size, most = of->is_known ? of->cache->item_max : end;
	item_set spare = {{0}};
	unsigned i = 0;
	for (size_t at = 0; (size = size_at(data + at, end - at)) != 0; at += size, i++) {
		const item_head *item = (const item_head *)(const void *)(data + at);
		uint64_t word = remove_word(of->cache, peek(&item->hash), begin + at);
		if ((word & FOUND) != 0 && peek(&item->until_ms) > of->item->asked_ms &&
			spared + size <= most) {
			spare.bits[i / 64] |= (uint64_t)1 << i % 64;
			spared += size;
		}
	}
	return spare;
}

/* Publish a spared item, unless its key has a newer item, or all words belong to found items of other keys. If the item
 * to keep is known, the spared item loses its FOUND bit, so that it is spared only once. */
static void publish_spared(const keeping *of, uint64_t hash, size_t offset) {
	choice at = choose_word(of->cache, hash, of->item);
	if (!is_present(&at) && at.worth < DEAR) {
		publish(&at, hash, offset, of->is_known ? 0 : FOUND);
	}
}

/* Empty a segment, and move spared items to its beginning. */
static void empty(const keeping *of, uint32_t number) {
	mcp_near_segment *segment = &of->cache->segments[number];
	size_t begin = (size_t)number << of->cache->segment_bits;
	char *data = of->cache->data + begin;
	size_t end = used_of(of->cache, segment), used = 0, size;
	item_set spare = remove_words(of, begin, end);
	/* No word points to this segment now. A process that still reads the segment has noted the previous number, and
	 * therefore detects the following writes. */
	uint64_t state = atomic_load_explicit(&segment->state, memory_order_relaxed);
	atomic_store_explicit(&segment->state, state + ((uint64_t)1 << MCP_NEAR_NUMBER_SHIFT),
		memory_order_release);
	atomic_store_explicit(&segment->until_ms, 0, memory_order_relaxed);
	atomic_store_explicit(&segment->used, 0, memory_order_release);
	/* The following writes must not become visible before the new number. */
	atomic_thread_fence(memory_order_release);
	unsigned i = 0;
	for (size_t at = 0; (size = size_at(data + at, end - at)) != 0; at += size, i++) {
		if ((spare.bits[i / 64] >> i % 64 & 1) == 0) {
			continue;
		}
		const item_head *item = (const item_head *)(const void *)(data + used);
		mcp_raced_write(data + used, data + at, size);
		append(segment, used, size, peek(&item->until_ms));
		publish_spared(of, peek(&item->hash), begin + used);
		used += size;
	}
}

#define NO_SEGMENT UINT32_MAX

/* Number of an open segment; initially, the first segments are open. */
static uint32_t open_number(const mcp_shm_cache *cache, uint32_t i) {
	return (atomic_load_explicit(&cache->open[i], memory_order_relaxed) + i) % cache->segment_count;
}

static bool is_open(const mcp_shm_cache *cache, uint32_t number) {
	uint32_t i = 0;
	while (i < cache->open_count && open_number(cache, i) != number) {
		i++;
	}
	return i < cache->open_count;
}

static bool has_space(const keeping *of, uint32_t number) {
	size_t used = used_of(of->cache, &of->cache->segments[number]);
	return used + of->size <= segment_size(of->cache);
}

/* Advance the hand to a segment that is not open, begin a write, and empty the segment. Returns the segment's index, or
 * NO_SEGMENT. For an unknown item, only one segment is emptied, because all items of the next segment might also be
 * spared. */
static uint32_t turn(const keeping *of) {
	const mcp_shm_cache *cache = of->cache;
	for (int attempt = 0; attempt < 2 * OPEN_MAX; attempt++) {
		uint32_t number = next_segment(cache);
		atomic_fetch_add_explicit(cache->hand, 1, memory_order_relaxed);
		if (is_open(cache, number) || !begin_writing(of, &cache->segments[number])) {
			continue;
		}
		empty(of, number);
		if (has_space(of, number)) {
			return number;
		}
		end_writing(&cache->segments[number]);
		if (!of->is_known) {
			break;
		}
	}
	return NO_SEGMENT;
}

/* Whether to replace an open segment that is busy: for 1 in 64 items, because the segment's writer might be paused or
 * in another namespace. */
static bool gives_up(const keeping *of) {
	return (of->item->hash >> 8 & 63) == 0;
}

/* Begin a write to an open segment with space for the item. If an open segment is full, open another segment
 * instead. */
static uint32_t begin_anywhere(const keeping *of) {
	const mcp_shm_cache *cache = of->cache;
	for (uint32_t i = 0; i < cache->open_count; i++) {
		uint32_t number = open_number(cache, i);
		bool is_begun = begin_writing(of, &cache->segments[number]);
		if (!is_begun && !gives_up(of)) {
			continue;
		}
		if (is_begun && has_space(of, number)) {
			return number;
		}
		uint32_t next = turn(of);
		if (next != NO_SEGMENT) {
			atomic_store_explicit(&cache->open[i], next + cache->segment_count - i,
				memory_order_relaxed);
		}
		if (is_begun) {
			end_writing(&cache->segments[number]);
		}
		return next;
	}
	return NO_SEGMENT;
}

/* --- writing --- */

static void write(const mcp_near_item *item, char *to) {
	item_head head = {
		.hash = item->hash,
		.whose = item->whose,
		.whose_else = item->whose_else,
		.asked_ms = item->asked_ms,
		.until_ms = item->until_ms,
		.snapshot = item->snapshot,
		.facts = item->facts,
		.lengths = {(uint32_t)item->key.length, (uint32_t)item->value.length, item->payload_at,
			item->flags},
	};
	char *key = to + sizeof(head);
	mcp_raced_write(to, &head, sizeof(head));
	mcp_raced_write(key, item->key.data, item->key.length);
	mcp_raced_write(key + padded(item->key.length), item->value.data, item->value.length);
}

/* One in 8 unknown items is admitted if the next segment still has valid items. */
#define ADMITTED 8

static bool may_come(const keeping *of, const choice *at) {
	return of->is_known ||
		(at->worth < DEAR &&
			(is_over(of->cache, next_segment(of->cache), of->item) ||
				(of->item->hash >> 16) % ADMITTED == 0));
}

bool mcp_shm_cache_keep(const mcp_shm_cache *cache, const mcp_near_item *item,
	const mcp_near_writer *writer) {
	size_t before = sizeof(item_head) + padded(item->key.length);
	if (before > cache->item_max || item->value.length > cache->item_max - before ||
		writer->pid - 1 >= MCP_NEAR_PID_MAX) {
		return false;
	}
	choice at = choose_word(cache, item->hash, item);
	keeping of = {
		.cache = cache,
		.item = item,
		.writer = writer,
		.size = before + padded(item->value.length),
		.self = number_namespace(cache, writer->namespace_id) << PID_BITS | writer->pid,
		.is_known = is_present(&at) || mcp_asked_add(&cache->asked, item->hash) || item->is_wanted,
	};
	uint32_t number = may_come(&of, &at) ? begin_anywhere(&of) : NO_SEGMENT;
	if (number == NO_SEGMENT) {
		return false;
	}
	mcp_near_segment *to = &cache->segments[number];
	size_t used = used_of(cache, to);
	size_t offset = ((size_t)number << cache->segment_bits) + used;
	write(item, cache->data + offset);
	append(to, used, of.size, item->until_ms);
	at = choose_word(cache, item->hash, item); /* turn() might have changed the word */
	/* An item that is offered again keeps its FOUND bit. */
	bool is_kept = (of.is_known || at.worth < DEAR) &&
		publish(&at, item->hash, offset, is_present(&at) ? at.before & FOUND : 0);
	end_writing(to);
	return is_kept;
}

/* --- reading --- */

/* Whether the key has the requested length, and everything is within the limit of an item. */
static inline bool fit(item_lengths lengths, size_t key_length, size_t space) {
	size_t before = sizeof(item_head) + padded(key_length);
	return lengths.key == key_length && before <= space && lengths.value <= space - before &&
		lengths.payload_at <= lengths.value;
}

/* Read an item that can be overwritten at any time: the caller checks the result at the end. Read the lengths once,
 * because they must not change after their check. */
static inline bool look_at(const char *at, size_t space, mcp_near_item *item,
	mcp_near_place *place) {
	const item_head *from = (const item_head *)(const void *)at;
	item_lengths lengths;
	mcp_raced_read(&lengths, &from->lengths, sizeof(lengths));
	/* From here on, do not read copied fields again. */
	atomic_signal_fence(memory_order_seq_cst);
	const char *key = at + sizeof(item_head);
	if (peek(&from->whose) != item->whose || peek(&from->whose_else) != item->whose_else ||
		!fit(lengths, item->key.length, space) ||
		!mcp_raced_equal(key, item->key.data, item->key.length)) {
		return false;
	}
	place->value = key + padded(item->key.length);
	item->asked_ms = peek(&from->asked_ms);
	mcp_raced_read(&item->snapshot, &from->snapshot, sizeof(item->snapshot));
	mcp_raced_read(&item->facts, &from->facts, sizeof(item->facts));
	item->flags = lengths.flags;
	item->payload_at = lengths.payload_at;
	item->value = (mcp_bytes){NULL, lengths.value};
	return true;
}

bool mcp_shm_cache_find(const mcp_shm_cache *cache, mcp_near_item *item, mcp_near_place *place) {
	mcp_atomic_u64 *bucket = bucket_of(cache, item->hash);
	uint64_t tag = item->hash >> TAG_SHIFT;
	for (unsigned i = 0; i < WAYS; i++) {
		uint64_t word = atomic_load_explicit(&bucket[i], memory_order_relaxed);
		size_t offset = offset_of(word);
		if (word >> TAG_SHIFT != tag || offset >= cache->data_size) {
			continue;
		}
		place->state = &cache->segments[offset >> cache->segment_bits].state;
		place->seen = atomic_load_explicit(place->state, memory_order_acquire);
		/* If the word is unchanged, its item is at least as new as this state. Otherwise, bytes within another value
		 * could be mistaken for an item. */
		uint64_t again = atomic_load_explicit(&bucket[i], memory_order_acquire);
		if ((again ^ word) > FOUND ||
			!look_at(cache->data + offset, cache->item_max, item, place)) {
			continue;
		}
		/* Write only once: a written cache line must be fetched again by other processors. */
		if ((word & FOUND) == 0) {
			atomic_compare_exchange_strong_explicit(&bucket[i], &word, word | FOUND,
				memory_order_relaxed, memory_order_relaxed);
		}
		return true;
	}
	return false;
}
