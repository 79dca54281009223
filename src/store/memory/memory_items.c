/* A chained hash table whose items are also a list, newest use first. Deterministic: the hash
 * has no seed, because the keys are the test's own. */
/* SPDX-License-Identifier: MIT */
#include "memory_items.h"

#include <stdlib.h>

#define BUCKETS_FIRST 64

/* Hashes by FNV-1a, 64 bits (G. Fowler, L. C. Noll, K.-P. Vo). */
static uint64_t hash(mcp_bytes key) {
	uint64_t value = 0xcbf29ce484222325ull;
	for (size_t i = 0; i < key.length; i++) {
		value = (value ^ (unsigned char)key.data[i]) * 0x100000001b3ull;
	}
	return value;
}

static size_t cost(const mcp_memory_item *item) {
	return sizeof(*item) + item->key_length + item->value_length;
}

static mcp_memory_item **bucket_of(const mcp_memory_items *items, mcp_bytes key) {
	return &items->buckets[hash(key) & (items->bucket_count - 1)];
}

static char *append(char *to, mcp_bytes bytes) {
	if (bytes.length > 0) {
		memcpy(to, bytes.data, bytes.length);
	}
	return to + bytes.length;
}

/* Creates an item that the caller owns until it is linked. */
static mcp_memory_item *create(const mcp_memory_content *content) {
	size_t value_length = content->head.length + content->body.length;
	mcp_memory_item *item = malloc(sizeof(*item) + content->key.length + value_length);
	if (item == NULL) {
		return NULL;
	}
	*item = (mcp_memory_item){
		.end_s = content->end_s,
		.cas = content->cas,
		.flags = content->flags,
		.key_length = (uint32_t)content->key.length,
		.value_length = value_length,
	};
	append(append(append(item->bytes, content->key), content->head), content->body);
	return item;
}

static void list_add(mcp_memory_items *items, mcp_memory_item *item) {
	item->newer = NULL;
	item->older = items->newest;
	if (items->newest != NULL) {
		items->newest->newer = item;
	} else {
		items->oldest = item;
	}
	items->newest = item;
	item->used = items->budget != NULL ? ++items->budget->clock : 0;
}

static void list_remove(mcp_memory_items *items, mcp_memory_item *item) {
	if (item->newer != NULL) {
		item->newer->older = item->older;
	} else {
		items->newest = item->older;
	}
	if (item->older != NULL) {
		item->older->newer = item->newer;
	} else {
		items->oldest = item->newer;
	}
}

static void bucket_add(mcp_memory_items *items, mcp_memory_item *item) {
	mcp_memory_item **bucket = bucket_of(items, mcp_memory_item_key(item));
	item->next_in_bucket = *bucket;
	*bucket = item;
}

static void bucket_remove(mcp_memory_items *items, mcp_memory_item *item) {
	mcp_memory_item **link = bucket_of(items, mcp_memory_item_key(item));
	while (*link != item) {
		link = &(*link)->next_in_bucket;
	}
	*link = item->next_in_bucket;
}

/* Makes room for one item per bucket on average. A table that cannot grow only gets slower. */
static bool make_room(mcp_memory_items *items) {
	if (items->item_count < items->bucket_count) {
		return true;
	}
	size_t wanted = items->bucket_count == 0 ? BUCKETS_FIRST : items->bucket_count * 2;
	mcp_memory_item **buckets = calloc(wanted, sizeof(mcp_memory_item *));
	if (buckets == NULL) {
		return items->buckets != NULL;
	}
	free(items->buckets);
	items->buckets = buckets;
	items->bucket_count = wanted;
	for (mcp_memory_item *item = items->newest; item != NULL; item = item->older) {
		bucket_add(items, item);
	}
	return true;
}

mcp_memory_items mcp_memory_items_make(size_t limit_bytes) {
	return (mcp_memory_items){.limit_bytes = limit_bytes};
}

void mcp_memory_items_join(mcp_memory_items *items, mcp_memory_budget *budget) {
	items->budget = budget;
	items->next_in_budget = budget->first;
	budget->first = items;
}

void mcp_memory_items_leave(mcp_memory_items *items) {
	if (items->budget == NULL) {
		return;
	}
	mcp_memory_items **link = &items->budget->first;
	while (*link != items) {
		link = &(*link)->next_in_budget;
	}
	*link = items->next_in_budget;
	items->budget = NULL;
}

static void take_account(mcp_memory_items *items, size_t more, size_t less) {
	items->bytes = items->bytes + more - less;
	if (items->budget != NULL) {
		items->budget->bytes = items->budget->bytes + more - less;
	}
}

void mcp_memory_items_clear(mcp_memory_items *items) {
	take_account(items, 0, items->bytes);
	mcp_memory_item *item = items->newest;
	while (item != NULL) {
		mcp_memory_item *older = item->older;
		free(item);
		item = older;
	}
	free(items->buckets);
	items->buckets = NULL;
	items->bucket_count = items->item_count = 0;
	items->newest = items->oldest = NULL;
}

mcp_memory_item *mcp_memory_items_find(const mcp_memory_items *items, mcp_bytes key) {
	if (items->buckets == NULL) {
		return NULL;
	}
	mcp_memory_item *item = *bucket_of(items, key);
	while (item != NULL && !mcp_bytes_equal(mcp_memory_item_key(item), key)) {
		item = item->next_in_bucket;
	}
	return item;
}

void mcp_memory_items_use(mcp_memory_items *items, mcp_memory_item *item) {
	list_remove(items, item);
	list_add(items, item);
}

void mcp_memory_items_remove(mcp_memory_items *items, mcp_memory_item *item) {
	bucket_remove(items, item);
	list_remove(items, item);
	take_account(items, 0, cost(item));
	items->item_count--;
	free(item);
}

static void evict(mcp_memory_items *items) {
	mcp_memory_items_remove(items, items->oldest);
	items->evictions++;
}

/* Finds among all that share the budget the table whose oldest item was used least recently. NULL if there is
 * nothing but the new item. */
static mcp_memory_items *find_oldest(const mcp_memory_budget *budget,
	const mcp_memory_item *newest) {
	mcp_memory_items *found = NULL;
	for (mcp_memory_items *items = budget->first; items != NULL; items = items->next_in_budget) {
		if (items->oldest != NULL && items->oldest != newest &&
			(found == NULL || items->oldest->used < found->oldest->used)) {
			found = items;
		}
	}
	return found;
}

static void keep_within_budget(mcp_memory_budget *budget, const mcp_memory_item *newest) {
	mcp_memory_items *oldest;
	while (budget->bytes > budget->limit_bytes && (oldest = find_oldest(budget, newest)) != NULL) {
		evict(oldest);
	}
}

bool mcp_memory_items_put(mcp_memory_items *items, const mcp_memory_content *content) {
	mcp_memory_item *item = create(content);
	if (item == NULL || !make_room(items)) {
		free(item);
		return false;
	}
	mcp_memory_item *old = mcp_memory_items_find(items, content->key);
	if (old != NULL) {
		mcp_memory_items_remove(items, old);
	}
	bucket_add(items, item);
	list_add(items, item);
	take_account(items, cost(item), 0);
	items->item_count++;
	while (items->bytes > items->limit_bytes && items->oldest != item) {
		evict(items);
	}
	if (items->budget != NULL) {
		keep_within_budget(items->budget, item);
	}
	return true;
}
