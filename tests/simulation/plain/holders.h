/* Clients as holders of locks, which know what nobody holds (core/holders/holders.h). All are processes of one machine; the first
 * two share a memory, and the others another one, as the processes from before a reload of php-fpm and from behind it do. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_HOLDERS_H
#define PLAIN_HOLDERS_H

#include "core/holders/holders.h"
#include "plain/client.h"

/* Empties the memories. Before a run. */
void plain_holders_prepare(plain_world *world);

mcp_holder *plain_holder_of(const plain_client *client);
/* Returns a process that shares the client's memory, lives, and has done nothing. */
mcp_holder *plain_holder_beside(const plain_client *client);

/* Notes whose stamp it is that a request has written into a lock's item. */
void plain_holders_note(const sim_request *request);
/* Returns who has written an item with this stamp; NULL: nobody who was noted. */
const plain_client *plain_holders_writer(const plain_world *world, uint64_t stamp);

/* Says whether a client believes in what it has written with this stamp, at last in this operation of its own, or may come to
 * without writing it again. */
typedef bool (*plain_holders_view)(const plain_client *writer, uint64_t stamp, int operation);
/* Says whether a process beside this client must know that nobody holds an item; or beside any client, if it is NULL. */
bool plain_holders_know_orphan(const plain_world *world, const plain_client *beside,
	mcp_bytes value, plain_holders_view holds);

#endif
