/* Wake-ups of a session's lock: processes of one host wait for it and are woken when it is released (W1, W3). */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_SESSION_WAKING_H
#define PLAIN_SESSION_WAKING_H

#include "plain/client.h"

/* Gives each client a store that wakes others. Call it before a run. */
void plain_session_waking_prepare(plain_world *world);
mcp_store *plain_session_waking_store(unsigned client);

/* Record the beginning and the end of a client's wait for the lock. */
void plain_session_waking_begin_wait(plain_client *client);
void plain_session_waking_end_wait(plain_client *client);
/* Record the beginning and the end of a client's call that can release the lock. */
void plain_session_waking_begin_end(plain_client *client);
void plain_session_waking_end_end(plain_client *client);

/* Record effects and losses, and check the final state, for a family. */
void plain_session_waking_effect(const sim_request *request, mcp_status status);
void plain_session_waking_lost(void);
void plain_session_waking_check(plain_world *world);

#endif
