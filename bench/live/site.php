<?php
/* What the live demo's servers answer: the same slow page twice, cached by get, compute, set and by mcpatterns; and, from a
 * server of its own that is never busy, the page that shows both, its figures, and the dashboard. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench\Live;

use McPatterns\{Cache, Lock, Pool};

/** What run.php has put into the environment. */
function option(string $name): string
{
	return (string) getenv("MCPATTERNS_LIVE_$name");
}

/** The slow query. While it runs there is a file, by which run.php counts. */
function query(string $side, int $ms): array
{
	$mark = option('FOLDER') . "/$side." . getmypid();
	touch($mark);
	usleep(1000 * $ms);
	unlink($mark);
	return ['built' => microtime(true), 'rows' => array_fill(0, 10, ['title' => 'A headline of ordinary length', 'votes' => 42])];
}

/** What everybody writes first, over memcached's own protocol, so that it needs no other extension. */
final class PlainMemcached
{
	/** @var resource */
	private $socket;

	public function __construct(string $path)
	{
		$socket = stream_socket_client("unix://$path", $code, $message, 1.0, STREAM_CLIENT_CONNECT | STREAM_CLIENT_PERSISTENT);
		$this->socket = $socket ?: throw new \RuntimeException("cannot reach memcached: $message");
	}

	public function get(string $key): mixed
	{
		fwrite($this->socket, "get $key\r\n");
		if (!preg_match('/^VALUE \S+ \d+ (\d+)/', (string) fgets($this->socket), $found)) {
			return null;
		}
		$value = stream_get_contents($this->socket, (int) $found[1]);
		fgets($this->socket);
		fgets($this->socket);
		return unserialize($value, ['allowed_classes' => false]);
	}

	public function set(string $key, mixed $value, int $ttl): void
	{
		$bytes = serialize($value);
		fwrite($this->socket, sprintf("set %s 0 %d %d\r\n%s\r\n", $key, $ttl, strlen($bytes), $bytes));
		fgets($this->socket);
	}
}

function naive(string $key, int $ttl, int $ms): bool
{
	$memcached = new PlainMemcached(option('SOCKET'));
	if ($memcached->get("naive.$key") !== null) {
		return false;
	}
	$memcached->set("naive.$key", query('naive', $ms), $ttl);
	return true;
}

function ours(string $group, string $key, int $ttl, int $ms, float $near = 0): bool
{
	$computed = false;
	$cache = new Cache(new Pool('unix://' . option('SOCKET')), prefix: "$group.", near: $near);
	$cache->remember($key, $ttl, function () use ($ms, &$computed): array {
		$computed = true;
		return query('ours', $ms);
	});
	return $computed;
}

/** A visitor's page: the headlines and the menu that all see, and the profile of one of twenty users. */
function visit(string $side): array
{
	[$ttl, $ms] = [(int) option('TTL'), (int) option('REBUILD')];
	$user = 'user-' . random_int(1, 20);
	if ($side === 'naive') {
		naive($user, 4 * $ttl, intdiv($ms, 20));
		naive('menu', 4 * $ttl, intdiv($ms, 20));
		return ['computed' => naive('headlines', $ttl, $ms)];
	}
	if (random_int(1, 25) === 1) {
		digest();
	}
	ours('profile', $user, 4 * $ttl, intdiv($ms, 20));
	ours('menu', 'main', 4 * $ttl, intdiv($ms, 20), near: 2);
	return ['computed' => ours('page', 'headlines', $ttl, $ms)];
}

/** Now and then a visitor's process finds that the digest is to be sent. One at a time does it. */
function digest(): void
{
	$lock = new Lock(new Pool('unix://' . option('SOCKET')), 'digest', ttl: 5);
	if ($lock->acquire()) {
		usleep(20_000);
		$lock->release();
	}
}

function answer(string $path): bool
{
	switch ($path) {
		case '/naive':
		case '/ours':
			header('Content-Type: application/json');
			echo json_encode(visit(substr($path, 1)));
			return true;
		case '/state':
			header('Content-Type: application/json');
			header('Cache-Control: no-store');
			echo @file_get_contents(option('FOLDER') . '/state.json') ?: '{}';
			return true;
		case '/':
			header('Content-Type: text/html; charset=utf-8');
			readfile(__DIR__ . '/side-by-side.html');
			return true;
		case '/dashboard':
			putenv('MCPATTERNS_DASHBOARD_LOCAL=1');
			putenv('MCPATTERNS_DASHBOARD_SERVERS=unix://' . option('SOCKET'));
			require __DIR__ . '/../../web/mcpatterns.php';
			return true;
	}
	http_response_code(404);
	return true;
}

return answer((string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
