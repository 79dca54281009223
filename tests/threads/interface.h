/* The interface of the server to PHP (SAPI), and the functions that it has for scripts. */
/* SPDX-License-Identifier: MIT */
#ifndef THREADS_INTERFACE_H
#define THREADS_INTERFACE_H

#include "php.h"

#include "SAPI.h"

#include <pthread.h>

/* Threads of PHP differ by what they run. */
typedef enum threads_kind {
	THREADS_WORKER,  /* one script, which calls frankenphp_handle_request() for each request */
	THREADS_CLASSIC, /* a script for each request */
	THREADS_RESETTER /* a script that empties opcache, again and again, until all others have ended */
} threads_kind;

/* One of the threads that serve, through all its lives. */
typedef struct threads_server {
	threads_kind kind;
	int number;
	pthread_t supervisor;
} threads_server;

extern _Thread_local threads_server *threads_self; /* NULL in the main thread */
extern _Thread_local int threads_served;           /* requests of this life */
extern int threads_requests;                       /* in each life */

extern sapi_module_struct threads_interface;
extern const zend_function_entry threads_functions[];

#endif
