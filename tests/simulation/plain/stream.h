/* The connections of simulated clients, byte by byte, instead of the sockets of src/store/wire/socket.h. The
 * address of a client is its number. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_STREAM_H
#define PLAIN_STREAM_H

#include "plain/world.h"

/* Prepares a run. All connections are closed. */
void plain_stream_prepare(plain_world *world);
/* From now on, plain_stream_was_sound() reports whether no fault happened between this client and its server. */
void plain_stream_watch(const plain_client *client);
bool plain_stream_was_sound(const plain_client *client);

#endif
