/* Clients as lock holders that know orphaned locks (core/holders/holders.h). All are processes of one machine. The
 * first 2 share memory, and the others share different memory, like php-fpm's processes from before and after a
 * reload. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_HOLDERS_H
#define PLAIN_HOLDERS_H

#include "core/holders/holders.h"
#include "plain/client.h"

/* Call it before a run. */
void plain_holders_prepare(plain_world *world);

mcp_holder *plain_holder_of(const plain_client *client);
/* Returns a live, idle process that shares the client's memory. */
mcp_holder *plain_holder_beside(const plain_client *client);

/* Records the stamp of a request's lock item. */
void plain_holders_note(const sim_request *request);
/* Returns the writer of an item with this stamp, or NULL if unknown. */
const plain_client *plain_holders_writer(const plain_world *world, uint64_t stamp);

/* True if a client still uses what it has written with this stamp, last in this operation, or can do so without
 * writing it again. */
typedef bool (*plain_holders_view)(const plain_client *writer, uint64_t stamp, int operation);
/* True if a process that shares memory with this client must know that the item is orphaned. NULL: with any client. */
bool plain_holders_know_orphan(const plain_world *world, const plain_client *beside,
	mcp_bytes value, plain_holders_view holds);

#endif
