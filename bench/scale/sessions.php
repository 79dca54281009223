<?php
/* Sessions by several handlers: what is left in three cases in which they are lost, and how long a request's session takes.
 * Each request of a case is a process of its own. Called by bench/sessions. */
/* SPDX-License-Identifier: MIT */

[, $extension, $memcached, $redis, $rounds, $folder] = $argv;

const LOCK_S = 1;      // so long a lock lasts, where the handler has locks that end
const REQUESTS = 50;   // of each handler in each round
const LARGE = 1_200_000;

/** The settings of each handler that is to be had here, by its name. */
function handlers(string $memcached, string $redis, string $folder): array
{
	$ours = ['session.save_handler' => 'mcpatterns', 'session.save_path' => "unix://$memcached",
		'mcpatterns.session_lock_expire' => LOCK_S, 'mcpatterns.timeout' => 5];
	$handlers = [
		'mcpatterns, lock, Direct' => ['mcpatterns.transport' => 'direct'] + $ours,
		'mcpatterns, lock' => ['mcpatterns.transport' => 'libmemcached'] + $ours,
		'mcpatterns, merge, Direct' => ['mcpatterns.session_locking' => 'merge', 'mcpatterns.transport' => 'direct'] + $ours,
	];
	if (extension_loaded('memcached')) {
		$handlers['php-memcached ' . phpversion('memcached')] = ['session.save_handler' => 'memcached', 'session.save_path' => $memcached . ':0',
			'memcached.sess_locking' => 1, 'memcached.sess_lock_expire' => LOCK_S, 'memcached.sess_lock_wait_min' => 100, 'memcached.sess_lock_wait_max' => 100,
			'memcached.sess_lock_retries' => 100, 'memcached.sess_binary_protocol' => 0];
	}
	if ($redis !== '') {
		$handlers['phpredis ' . phpversion('redis')] = ['session.save_handler' => 'redis', 'session.save_path' => "unix://$redis",
			'redis.session.locking_enabled' => 1, 'redis.session.lock_expire' => LOCK_S, 'redis.session.lock_wait_time' => 100_000, 'redis.session.lock_retries' => 100];
	}
	return $handlers + ['PHP\'s files' => ['session.save_handler' => 'files', 'session.save_path' => $folder]];
}

/**
 * Starts a request with this id that runs the code between start and close, $after seconds from now; it prints whether the close warned.
 * (What session_write_close() returns says nothing: it is true whenever a session was open.)
 */
function request(array $settings, string $id, string $code, float $after = 0): array
{
	global $extension;
	$command = [PHP_BINARY, '-d', "extension=$extension"];
	foreach ($settings + ['session.use_cookies' => 0, 'session.cache_limiter' => '', 'session.gc_probability' => 0, 'display_errors' => 0,
		'memory_limit' => '256M'] as $name => $value) {
		array_push($command, '-d', "$name=$value");
	}
	$script = sprintf('usleep(%d); session_id("%s"); if (!session_start()) { echo "no session"; exit; } %s; set_error_handler(function () use (&$warned) { $warned = true; return true; });
		session_write_close(); echo empty($warned) ? "silent" : "warned";',
		$after * 1e6, $id, $code);
	$process = proc_open([...$command, '-r', $script], [1 => ['pipe', 'w'], 2 => ['file', '/dev/null', 'w']], $pipes);
	return [$process, $pipes[1]]; // a process that is not kept is closed
}

/** Waits for the requests to end, and returns what each has printed. */
function answers(array ...$requests): array
{
	return array_map(fn (array $request) => stream_get_contents($request[1]), $requests);
}

/** What the next request finds in the session, as JSON. */
function found(array $settings, string $id): string
{
	return answers(request($settings, $id, 'echo json_encode(array_map(fn ($v) => is_string($v) && strlen($v) > 9 ? strlen($v) . " bytes" : $v, $_SESSION)), "\t"'))[0];
}

/** Lets the server lose a session. */
function evict(string $handler, string $id, string $memcached, string $redis, string $folder): void
{
	$ask = function (string $socket, string $command): void {
		$stream = stream_socket_client("unix://$socket");
		fwrite($stream, "$command\r\n");
		fgets($stream);
	};
	match (true) {
		str_starts_with($handler, 'mcpatterns') => $ask($memcached, "delete sess:$id"),
		str_starts_with($handler, 'php-memcached') => $ask($memcached, "delete memc.sess.key.$id"),
		str_starts_with($handler, 'phpredis') => $ask($redis, "DEL PHPREDIS_SESSION:$id"),
		default => unlink("$folder/sess_$id"),
	};
}

/** Three requests at a time, the first of which takes three times its lock's time: which of their changes are there in the end? */
function outlived(array $settings): string
{
	$id = 'outlived' . bin2hex(random_bytes(4));
	$set = fn (string $name, float $s) => sprintf('$_SESSION["%s"] = 1; usleep(%d)', $name, $s * 1e6);
	answers(request($settings, $id, $set('old', 0)));
	$said = answers(request($settings, $id, $set('first', 3.5 * LOCK_S)), request($settings, $id, $set('second', 2.5 * LOCK_S), 0.3),
		request($settings, $id, $set('third', 0.5 * LOCK_S), 3.8 * LOCK_S));
	$found = json_decode(strtok(found($settings, $id), "\t"), true);
	$kept = array_values(array_intersect(['first', 'second', 'third'], array_keys($found)));
	return sprintf("%d of 3 changes kept; %d of 3 closes warned", count($kept), count(array_keys($said, 'warned')));
}

function evicted(array $settings, string $handler, string $memcached, string $redis, string $folder): string
{
	$id = 'evicted' . bin2hex(random_bytes(4));
	answers(request($settings, $id, '$_SESSION["old"] = 1'));
	$running = request($settings, $id, 'usleep(600000)');
	usleep(350_000);
	evict($handler, $id, $memcached, $redis, $folder);
	[$said] = answers($running);
	return sprintf('%s; the close %s', str_contains(found($settings, $id), 'old') ? 'kept' : 'gone', $said === 'warned' ? 'warned' : 'was silent');
}

function too_large(array $settings): string
{
	$id = 'large' . bin2hex(random_bytes(4));
	answers(request($settings, $id, '$_SESSION["old"] = 1'));
	[$said] = answers(request($settings, $id, '$_SESSION["large"] = random_bytes(' . LARGE . ')'));
	$found = found($settings, $id);
	$left = str_contains($found, 'bytes') ? 'all of it stored' : (str_contains($found, 'old') ? 'the old session stays' : 'the old session is gone');
	return "$left; the close " . ($said === 'warned' ? 'warned' : 'was silent');
}

/** Microseconds of a request's start and close, in which it changes something, by each handler in turn: a line of each. */
function measure(array $handlers, int $rounds): string
{
	$times = [];
	foreach (['session.use_cookies' => '0', 'session.cache_limiter' => '', 'session.gc_probability' => '0'] as $name => $value) {
		ini_set($name, $value);
	}
	for ($round = 0; $round < $rounds; $round++) {
		foreach ($handlers as $name => $settings) {
			foreach ($settings as $setting => $value) {
				ini_set($setting, (string) $value);
			}
			$begun = hrtime(true);
			for ($i = 0; $i < REQUESTS; $i++) {
				session_id('timed');
				session_start();
				$_SESSION['n'] = ($_SESSION['n'] ?? 0) + 1;
				$_SESSION['text'] = str_repeat('x', 1000);
				session_write_close();
			}
			$times[$name][] = (hrtime(true) - $begun) / 1000 / REQUESTS;
		}
	}
	$peer = key(array_filter($handlers, fn (string $name) => str_starts_with($name, 'php-memcached'), ARRAY_FILTER_USE_KEY));
	$lines = sprintf("\nA request's session, start and changed close, 1 KB, %d rounds of %d: the median round\n", $rounds, REQUESTS);
	foreach ($times as $name => $of) {
		$ratios = $peer !== null ? array_map(fn (float $mine, float $theirs) => $mine / $theirs, $of, $times[$peer]) : [];
		sort($of);
		sort($ratios);
		$ratio = $ratios ? sprintf(', %.2f of php-memcached\'s', $ratios[intdiv($rounds, 2)]) : '';
		$lines .= sprintf("  %-28s %6.0f us%s\n", $name, $of[intdiv($rounds, 2)], $ratio);
	}
	return $lines;
}

$handlers = handlers($memcached, $redis, $folder);
$measured = $rounds > 0 ? measure($handlers, (int) $rounds) : ''; // before any output, or no session begins
foreach ($handlers as $name => $settings) {
	echo "$name\n";
	echo '  a holder outlives its lock:          ', outlived($settings), "\n";
	echo '  evicted before an unchanged close:   ', evicted($settings, $name, $memcached, $redis, $folder), "\n";
	echo '  1.2 MB written over an old session:  ', too_large($settings), "\n";
}
echo $measured;
