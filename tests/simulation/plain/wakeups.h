/* The bells of simulated hosts, each of which has one for all keys, and what must hold of all sleep on them: W2, W3. A wake is
 * an event: who was woken goes on when its turn comes. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_BELLS_H
#define PLAIN_BELLS_H

#include "core/waking/wakeups.h"
#include "plain/client.h"

/* Makes all as they are before the first wait. */
void plain_bells_prepare(void);
const mcp_wakeups *plain_bells_of(unsigned host);
/* Gives the client an environment by which it hears its host's. */
void plain_bells_give(plain_client *client);

/* Writes anything into a host's bell, now. W1 and W3 are then not to be had any more: what is left is W2 and W5. */
void plain_bells_spoil(unsigned host, uint64_t random);
bool plain_bells_are_spoilt(void);
/* Rings without a change, each time as soon as somebody sleeps, once a millisecond. */
void plain_bells_storm(plain_client *client, unsigned rings);

/* Says that the client begins or ends an operation in which it may wait, for W3. */
void plain_bells_wait(plain_client *client, bool begins);

/* Returns for how long it has slept by the clock behind being woken, since it was asked last: it hears nothing then. */
uint64_t plain_bells_take_deaf_ms(const plain_client *client);

/* Says whether the client sleeps on, since nobody has woken it and its time has not come. */
bool plain_bells_sleeps(const plain_client *client);

#endif
