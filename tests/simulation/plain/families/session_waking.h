/* The bells of a session's lock: processes of one host wait for it, and are woken when it is given back (W1, W3). */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_SESSION_WAKING_H
#define PLAIN_SESSION_WAKING_H

#include "plain/client.h"

/* Gives each client a store that rings. Before a run. */
void plain_session_waking_prepare(plain_world *world);
mcp_store *plain_session_waking_store(unsigned client);

/* Says that a client's wait for the lock begins, and that it has ended. */
void plain_session_waking_begin_wait(plain_client *client);
void plain_session_waking_end_wait(plain_client *client);
/* Says that a client's call which may give the lock back begins, and that it has returned. */
void plain_session_waking_begin_end(plain_client *client);
void plain_session_waking_end_end(plain_client *client);

/* Judges for a family what has an effect, what is lost, and what is left at the end. */
void plain_session_waking_effect(const sim_request *request, mcp_status status);
void plain_session_waking_lost(void);
void plain_session_waking_check(plain_world *world);

#endif
