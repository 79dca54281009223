/* The wake-up words of simulated hosts, one per host for all keys, and checks of every sleep on them: W2, W3. A
 * wake-up is an event: the woken client continues when it is scheduled. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_BELLS_H
#define PLAIN_BELLS_H

#include "core/waking/wakeups.h"
#include "plain/client.h"

/* Resets all to the state before the first wait. */
void plain_bells_prepare(void);
const mcp_wakeups *plain_bells_of(unsigned host);
/* Gives the client an environment with its host's wake-ups. */
void plain_bells_give(plain_client *client);

/* Corrupts a host's word now. Afterwards W1 and W3 do not hold, only W2 and W5. */
void plain_bells_spoil(unsigned host, uint64_t random);
bool plain_bells_are_spoilt(void);
/* Wakes without a change, whenever a process sleeps, at most once per millisecond. */
void plain_bells_storm(plain_client *client, unsigned rings);

/* Records the beginning or end of an operation that can wait, for W3. */
void plain_bells_wait(plain_client *client, bool begins);

/* Returns how long the client has slept by the clock after wake-ups, since the last call. It does not listen during
 * that time. */
uint64_t plain_bells_take_deaf_ms(const plain_client *client);

/* True if the client continues to sleep: no wake-up, and its time has not come. */
bool plain_bells_sleeps(const plain_client *client);

#endif
