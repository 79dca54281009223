/* The connections of simulated clients, byte by byte: what src/store/wire/socket.h does on them, the transport of our own takes
 * for its sockets. A client's address is its number. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_STREAM_H
#define PLAIN_STREAM_H

#include "plain/world.h"

/* Prepares a run: all are closed. */
void plain_stream_prepare(plain_world *world);
/* Watches from now on, until it is asked, whether everything went well between this client and its server. */
void plain_stream_watch(const plain_client *client);
bool plain_stream_was_sound(const plain_client *client);

#endif
