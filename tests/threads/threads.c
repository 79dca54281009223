/* Serves as FrankenPHP does: threads of one process have requests of their own, some with a request of PHP for each, some as
 * workers, in one script that handles many. usage: threads [options] SCRIPT.php; see usage(). */
/* SPDX-License-Identifier: MIT */
#include "interface.h"
#include "tallies.h"

#include "main/php_main.h"

#include <getopt.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define RESET_PAUSE_US 20000

ZEND_TSRMLS_CACHE_DEFINE()

static struct {
	int workers, classics, lives;
	const char *script;
} wanted = {24, 8, 4, NULL};

/* Whoever serves has it shared; whoever empties opcache has it alone. In one process PHP's opcache does not see who still uses what
 * it empties (its locks are of processes), so FrankenPHP, too, lets all threads come to rest before. */
static pthread_rwlock_t at_work;

static atomic_int serving; /* servers that have not ended */

static bool is_over(void) {
	return threads_served >= threads_requests;
}

static double now_s(void) {
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Counts those ends that had no time left to give everything back, on a machine that does other things, too. */
static void end_request(void) {
	double begun_s = now_s();
	php_request_shutdown(NULL);
	tallies_add("slow ends", now_s() - begun_s > 1);
}

/* Runs a script in one request of PHP, which is told by $_SERVER['argv'] what it is to do. */
static bool run_script(const char *task) {
	char *arguments[] = {(char *)wanted.script, (char *)task};
	SG(options) |= SAPI_OPTION_NO_CHDIR;
	SG(request_info).argc = 2;
	SG(request_info).argv = arguments;
	SG(request_info).request_uri = (char *)task;
	if (php_request_startup() == FAILURE) {
		tallies_add("failures", 1);
		return false;
	}
	SG(headers_sent) = 1;
	SG(request_info).no_headers = 1;
	bool has_ended = false;
	zend_first_try {
		zend_file_handle file;
		zend_stream_init_filename(&file, wanted.script);
		has_ended = php_execute_script(&file);
		zend_destroy_file_handle(&file);
	}
	zend_end_try();
	end_request();
	return has_ended && EG(exit_status) == 0;
}

static void begin_life(threads_server *of) {
	threads_self = of;
	threads_served = 0;
	ts_resource(0);
	ZEND_TSRMLS_CACHE_UPDATE();
}

/* Serves for one life of a thread of PHP. */
static void *live(void *argument) {
	begin_life(argument);
	bool is_well = true;
	while (is_well && !is_over()) {
		threads_served += threads_self->kind == THREADS_CLASSIC;
		pthread_rwlock_rdlock(&at_work);
		is_well = run_script(threads_self->kind == THREADS_WORKER ? "worker" : "classic");
		pthread_rwlock_unlock(&at_work);
	}
	tallies_add("failures", !is_well);
	tallies_add("served", threads_served);
	tallies_add("lives", 1);
	ts_free_thread();
	return NULL;
}

/* Runs two requests each time: opcache empties itself when the next one begins. */
static void *live_resetting(void *argument) {
	begin_life(argument);
	while (atomic_load(&serving) > 0) {
		pthread_rwlock_wrlock(&at_work);
		bool is_well = run_script("resetter") && run_script("rest");
		pthread_rwlock_unlock(&at_work);
		tallies_add("failures", !is_well);
		usleep(RESET_PAUSE_US);
	}
	ts_free_thread();
	return NULL;
}

static void run_thread(void *(*life)(void *), threads_server *of) {
	pthread_t thread;
	if (pthread_create(&thread, NULL, life, of) != 0) {
		tallies_add("failures", 1);
		return;
	}
	pthread_join(thread, NULL);
}

static void *supervise(void *argument) {
	threads_server *of = argument;
	for (int i = 0; i < wanted.lives; i++) {
		run_thread(live, of);
	}
	atomic_fetch_sub(&serving, 1);
	return NULL;
}

static void *supervise_resetting(void *argument) {
	run_thread(live_resetting, argument);
	return NULL;
}

/* Lets a thread that wants it alone go before those that want it shared, or it would wait for ever. */
static void prepare_work(void) {
	pthread_rwlockattr_t attributes;
	pthread_rwlockattr_init(&attributes);
	pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	pthread_rwlock_init(&at_work, &attributes);
	pthread_rwlockattr_destroy(&attributes);
}

static void serve_all(void) {
	int count = wanted.workers + wanted.classics + 1;
	threads_server *servers = calloc((size_t)count, sizeof(*servers));
	atomic_store(&serving, count - 1);
	prepare_work();
	for (int i = 0; i < count; i++) {
		servers[i].number = i;
		servers[i].kind = i < wanted.workers ? THREADS_WORKER
			: i < count - 1                  ? THREADS_CLASSIC
											 : THREADS_RESETTER;
		pthread_create(&servers[i].supervisor, NULL,
			servers[i].kind == THREADS_RESETTER ? supervise_resetting : supervise, &servers[i]);
	}
	for (int i = 0; i < count; i++) {
		pthread_join(servers[i].supervisor, NULL);
	}
	pthread_rwlock_destroy(&at_work);
	free(servers);
}

/* --- the program --- */

static int usage(void) {
	fputs(
		"usage: threads [-w WORKERS] [-c CLASSICS] [-r REQUESTS] [-l LIVES] [-d NAME=VALUE ...] SCRIPT\n"
		"  -w, -c  threads that serve as workers, and with a request of PHP each (24 and 8)\n"
		"  -r      requests in each life of a thread (1000)\n"
		"  -l      lives of each: threads of PHP, one after another (4)\n"
		"  -d      a setting of PHP\n",
		stderr);
	return 2;
}

/* Adds a line of settings. */
static char *add_setting(char *settings, const char *line) {
	size_t length = strlen(settings);
	settings = realloc(settings, length + strlen(line) + 2);
	sprintf(settings + length, "%s\n", line);
	return settings;
}

static bool read_options(int argc, char **argv) {
	char *settings =
		strdup("html_errors=0\ndisplay_errors=0\nlog_errors=1\nmax_execution_time=0\n");
	int option;
	while ((option = getopt(argc, argv, "w:c:r:l:d:")) != -1) {
		switch (option) {
			case 'w':
				wanted.workers = atoi(optarg);
				break;
			case 'c':
				wanted.classics = atoi(optarg);
				break;
			case 'r':
				threads_requests = atoi(optarg);
				break;
			case 'l':
				wanted.lives = atoi(optarg);
				break;
			case 'd':
				settings = add_setting(settings, optarg);
				break;
			default:
				return false;
		}
	}
	threads_interface.ini_entries = settings;
	wanted.script = argv[optind];
	return wanted.script != NULL && threads_requests > 0 && wanted.lives > 0;
}

static bool start_php(void) {
	char *settings = threads_interface.ini_entries;
	php_tsrm_startup();
	ZEND_TSRMLS_CACHE_UPDATE();
	zend_signal_startup();
	sapi_startup(&threads_interface);
	threads_interface.ini_entries = settings;
	threads_interface.additional_functions = threads_functions;
	return threads_interface.startup(&threads_interface) == SUCCESS;
}

static void stop_php(void) {
	threads_interface.shutdown(&threads_interface);
	sapi_shutdown();
	tsrm_shutdown();
}

/* Runs the script once with the task "begin", then in all threads, then with "end"; its exit status is the program's. */
int main(int argc, char **argv) {
	if (!read_options(argc, argv)) {
		return usage();
	}
	signal(SIGPIPE, SIG_IGN);
	if (!start_php()) {
		fputs("threads: PHP does not start\n", stderr);
		return 1;
	}
	bool is_well = run_script("begin");
	if (is_well) {
		serve_all();
		is_well = run_script("end");
	}
	stop_php();
	free(threads_interface.ini_entries);
	return is_well ? 0 : 1;
}
