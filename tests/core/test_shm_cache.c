/* Holds the host's memory of items to what it promises: what is found is what was kept, whole, under its own key
 * and owner, and what is begun is ended by who began it, or taken over from one that is gone. */
/* SPDX-License-Identifier: MIT */
#include "near_room_fixture.h"

#include <stdio.h>

/* Bytes before an item's key. */
#define HEAD 104

static bool is_dead(uint32_t pid) {
	return false;
}

static bool is_living(uint32_t pid) {
	return true;
}

TEST(what_is_kept_is_found) {
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "value");
	assert_false(finds(&made, item, "value"));
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	mcp_near_item found = item_of("key", "");
	found.asked_ms = found.flags = 0;
	found.snapshot = (mcp_change_snapshot){0, 0};
	found.facts = (mcp_near_facts){0};
	item.payload_at = 2;
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	assert_true(read_item(&made.room, &found, made.copy));
	assert_memory_equal("value", found.value.data, 5);
	assert_int_equal(1000, found.asked_ms);
	assert_int_equal(3, found.snapshot.of_key);
	assert_int_equal(4, found.snapshot.of_all);
	assert_int_equal(5, found.flags);
	assert_int_equal(2, found.payload_at);
	assert_memory_equal(&item.facts, &found.facts, sizeof(found.facts));
	item.value = mcp_bytes_of("longer than it was before", 25);
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	assert_true(finds(&made, item, "longer than it was before"));
	end(&made, SIZE);
}

TEST(another_key_or_owner_finds_nothing) {
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "value");
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	mcp_near_item other = item;
	other.whose = 7;
	assert_false(finds(&made, other, "value"));
	other = item;
	other.whose_else = 7;
	assert_false(finds(&made, other, "value"));
	other = item; /* two keys of one hash */
	other.key = mcp_bytes_of("kez", 3);
	assert_false(finds(&made, other, "value"));
	other.key = mcp_bytes_of("ke", 2);
	assert_false(finds(&made, other, "value"));
	end(&made, SIZE);
}

/* Fewer than a bucket has words share a hash's lower bits without pushing each other out. */
TEST(several_of_one_bucket_are_kept_and_the_oldest_goes) {
	fixture made = begin(SIZE);
	char key[2] = "a";
	for (int i = 0; i < 9; i++) {
		mcp_near_item item = item_of(key, key);
		item.hash = (uint64_t)(i + 1) << 40;
		assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
		key[0]++;
	}
	key[0] = 'a';
	for (int i = 0; i < 9; i++) {
		mcp_near_item item = item_of(key, key);
		item.hash = (uint64_t)(i + 1) << 40;
		assert_int_equal(i != 0, finds(&made, item, key));
		key[0]++;
	}
	end(&made, SIZE);
}

/* P8.1 */
TEST(items_of_every_size_come_back_or_are_refused) {
	fixture made = begin(SIZE);
	char *value = malloc(MCP_NEAR_ITEM_MAX + 1);
	for (size_t length = 0; length <= MCP_NEAR_ITEM_MAX; length += length < 2100 ? 1 : 977) {
		memset(value, 'a' + (int)(length % 26), length);
		mcp_near_item item = item_of("a key of some length", "");
		item.value = mcp_bytes_of(value, length);
		bool is_kept = mcp_shm_cache_keep(&made.room, &item, &made.writer);
		assert_int_equal(is_kept, length + HEAD + 24 <= MCP_NEAR_ITEM_MAX);
		if (is_kept) {
			assert_true(read_item(&made.room, &item, made.copy));
			assert_int_equal(length, item.value.length);
			assert_memory_equal(value, item.value.data, length);
		}
	}
	free(value);
	end(&made, SIZE);
}

TEST(every_size_of_memory_is_divided_within_it) {
	for (size_t size = 0; size < 300000; size += size < 9000 ? 64 : 4096 - 64) {
		char *memory = aligned_alloc(64, size > 0 ? size : 64);
		memset(memory, 0, size);
		fixture made = {.memory = memory,
			.writer = {1, NAMESPACE, is_dead},
			.copy = malloc(MCP_NEAR_ITEM_MAX)};
		if (mcp_shm_cache_open(&made.room, memory, size)) {
			char key[16];
			for (int i = 0; i < 200; i++) {
				snprintf(key, sizeof(key), "key%d", i);
				mcp_near_item item = item_of(key, key);
				item.is_wanted = true;
				assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
				assert_true(finds(&made, item, key));
			}
		} else {
			assert_true(size < 16384);
		}
		free(made.copy);
		free(memory);
	}
}

/* Begins as a process does that writes to it, in the first namespace. */
static void begin_as(mcp_atomic_u64 *state, uint32_t pid) {
	*state += (uint64_t)1 << 28;
	*state |= 1u << 22 | pid;
}

static uint32_t writer_of(const mcp_atomic_u64 *state) {
	return (uint32_t)(*state & ((1u << 28) - 1));
}

/* Fills the memory twice, with keys that have no place yet. */
static void fill(const fixture *made, const mcp_near_writer *writer) {
	static unsigned number;
	static char value[2000];
	char key[16];
	for (size_t i = 0; i < 2 * made->room.data_size / (sizeof(value) + 128); i++) {
		snprintf(key, sizeof(key), "key %u", number++);
		mcp_near_item item = item_of(key, "");
		item.value = mcp_bytes_of(value, sizeof(value));
		item.is_wanted = true;
		mcp_shm_cache_keep(&made->room, &item, writer);
	}
}

/* P9.1 */
TEST(a_segment_is_taken_over_from_the_dead_of_the_own_namespace_alone) {
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "value");
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	mcp_atomic_u64 *first = &made.room.segments[0].state;
	begin_as(first, 77);
	assert_true(finds(&made, item, "value"));
	/* Living, or in another namespace, where its id says nothing, or where this one's is not known. */
	mcp_near_writer others[] = {{5, NAMESPACE, is_living}, {5, 1, is_dead}, {5, 0, is_dead},
		{77, NAMESPACE, is_dead}};
	for (size_t i = 0; i < 4; i++) {
		fill(&made, &others[i]);
		assert_int_equal(1u << 22 | 77, writer_of(first));
		assert_true(finds(&made, item, "value"));
	}
	mcp_near_writer believing = {5, NAMESPACE, is_dead};
	fill(&made, &believing);
	fill(&made, &believing);
	assert_int_equal(0, writer_of(first));
	assert_false(finds(&made, item, "value"));
	end(&made, SIZE);
}

static const fixture *taken_over;

/* While one is judged, another takes its segment over, ends, and a process with its id begins there. */
static bool is_dead_and_replaced(uint32_t pid) {
	mcp_near_item item = item_of("another", "one");
	mcp_near_writer another = {6, NAMESPACE, is_dead};
	assert_true(mcp_shm_cache_keep(&taken_over->room, &item, &another));
	taken_over->room.segments[0].state |= 1u << 22 | pid;
	return false;
}

/* P9.1 */
TEST(an_outdated_judgement_takes_nothing_over) {
	fixture made = begin(SIZE);
	taken_over = &made;
	mcp_near_item item = item_of("key", "value");
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	mcp_atomic_u64 *first = &made.room.segments[0].state;
	begin_as(first, 77);

	mcp_near_writer judging = {5, NAMESPACE, is_dead_and_replaced};
	uint64_t judged = *first;
	mcp_shm_cache_keep(&made.room, &item, &judging);
	assert_int_equal(77, writer_of(first) & MCP_NEAR_PID_MAX);
	assert_true(*first != judged);
	end(&made, SIZE);
}

/* P9.1 */
TEST(what_one_of_an_unknown_namespace_has_begun_is_nobodys) {
	fixture made = begin(SIZE);
	mcp_near_writer unknown = {5, 0, is_dead};
	mcp_near_item item = item_of("key", "value");
	assert_true(mcp_shm_cache_keep(&made.room, &item, &unknown));
	assert_true(finds(&made, item, "value"));
	mcp_atomic_u64 *first = &made.room.segments[0].state;
	*first |= 77;
	fill(&made, &unknown);
	fill(&made, &(mcp_near_writer){5, NAMESPACE, is_dead});
	assert_int_equal(77, writer_of(first));
	/* It is in nobody's way, and can still be read. */
	assert_true(finds(&made, item, "value"));
	item = item_of("another", "one");
	item.is_wanted = true;
	assert_true(mcp_shm_cache_keep(&made.room, &item, &unknown));
	assert_true(finds(&made, item, "one"));
	end(&made, SIZE);
}

/* P9.1, P9.5: nobody waits. */
TEST(with_all_segments_under_living_hands_nothing_is_kept) {
	fixture made = begin(SIZE);
	for (uint32_t i = 0; i < made.room.segment_count; i++) {
		begin_as(&made.room.segments[i].state, (uint32_t)getpid());
	}
	char key[16];
	mcp_near_writer other = {1, NAMESPACE, is_living};
	for (int i = 0; i < 300; i++) {
		snprintf(key, sizeof(key), "key %d", i);
		mcp_near_item item = item_of(key, "value");
		item.is_wanted = true;
		assert_false(mcp_shm_cache_keep(&made.room, &item, i % 2 ? &made.writer : &other));
	}
	end(&made, SIZE);
}

/* P9.5: writers that never end hold all open segments; one in 64 items replaces one of these. */
TEST(open_segments_whose_writers_never_end_are_replaced) {
	fixture made = begin(SIZE);
	for (uint32_t i = 0; i < made.room.open_count; i++) {
		begin_as(&made.room.segments[i].state, 77);
	}
	mcp_near_writer other = {5, NAMESPACE, is_living};
	char key[16];
	int kept = 0;
	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "key %d", i);
		mcp_near_item item = item_of(key, "value");
		bool is_kept = mcp_shm_cache_keep(&made.room, &item, &other);
		assert_int_equal(is_kept, finds(&made, item, "value"));
		kept += is_kept;
	}
	assert_true(kept > 500);
	end(&made, SIZE);
}

/* More namespaces than there are places for. */
TEST(those_of_many_namespaces_keep_what_they_read) {
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "value");
	for (uint64_t id = 1; id < 3 * MCP_NEAR_NAMESPACES; id++) {
		mcp_near_writer writer = {5, id, is_living};
		assert_true(mcp_shm_cache_keep(&made.room, &item, &writer));
		assert_true(finds(&made, item, "value"));
	}
	mcp_near_writer without_id = {MCP_NEAR_PID_MAX + 1, 1, is_living};
	assert_false(mcp_shm_cache_keep(&made.room, &item, &without_id));
	without_id.pid = 0;
	assert_false(mcp_shm_cache_keep(&made.room, &item, &without_id));
	end(&made, SIZE);
}

/* P4.2, P10.3: as long as it stands, even beside appended items, and nothing that is written in its place. */
TEST(a_part_is_copied_of_the_writing_that_was_found) {
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "value");
	mcp_near_place place;
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	assert_true(mcp_shm_cache_find(&made.room, &item, &place));
	assert_true(mcp_near_place_copy(&place, 1, 3, made.copy));
	assert_memory_equal("alu", made.copy, 3);
	item.value = mcp_bytes_of("VALUE", 5);
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	assert_true(mcp_near_place_copy(&place, 1, 3, made.copy));
	assert_memory_equal("alu", made.copy, 3);
	assert_true(mcp_shm_cache_find(&made.room, &item, &place));
	fill(&made, &made.writer);
	fill(&made, &made.writer);
	assert_false(mcp_near_place_copy(&place, 1, 3, made.copy));
	end(&made, SIZE);
}

/* Where the hash begins with zeros, a word of the index that is free does not point to the first item. */
TEST(a_free_word_finds_nothing) {
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "value");
	item.hash = 5;
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	assert_true(finds(&made, item, "value"));
	memset((void *)made.room.buckets, 0, made.room.bucket_count * 64ul);
	assert_false(finds(&made, item, "value"));
	end(&made, SIZE);
}

/* P10.2: an item that is said to be longer than the limit, or its payload to begin behind its end. */
TEST(what_is_damaged_is_not_found) {
	fixture made = begin(SIZE);
	mcp_near_item item = item_of("key", "value");
	assert_true(mcp_shm_cache_keep(&made.room, &item, &made.writer));
	uint32_t *lengths = (void *)(made.room.data + HEAD - 16);
	assert_int_equal(5, lengths[1]);
	lengths[1] = (uint32_t)(made.room.item_max - HEAD - 8);
	mcp_near_place place;
	assert_true(mcp_shm_cache_find(&made.room, &item, &place));
	lengths[1]++;
	assert_false(mcp_shm_cache_find(&made.room, &item, &place));
	lengths[1] = 5;
	lengths[2] = 6;
	assert_false(mcp_shm_cache_find(&made.room, &item, &place));
	lengths[2] = 5;
	assert_true(mcp_shm_cache_find(&made.room, &item, &place));
	lengths[0]++;
	assert_false(mcp_shm_cache_find(&made.room, &item, &place));
	end(&made, SIZE);
}

TEST(a_change_is_seen_by_its_key_and_by_all) {
	fixture made = begin(SIZE);
	const mcp_changes *changes = &made.room.changes;
	mcp_change_snapshot before = mcp_changes_snapshot(changes, 5);
	assert_true(mcp_change_snapshots_equal(before, mcp_changes_snapshot(changes, 5)));
	mcp_changes_raise(changes, 6);
	assert_true(mcp_change_snapshots_equal(before, mcp_changes_snapshot(changes, 5)));
	mcp_changes_raise(changes, 5);
	assert_false(mcp_change_snapshots_equal(before, mcp_changes_snapshot(changes, 5)));
	before = mcp_changes_snapshot(changes, 5);
	mcp_changes_raise_all(changes);
	assert_false(mcp_change_snapshots_equal(before, mcp_changes_snapshot(changes, 5)));
	end(&made, SIZE);
}
