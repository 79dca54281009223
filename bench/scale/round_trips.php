<?php
/* Counts the round trips of each call over Direct and of php-memcached's nearest calls, and shows what they cost where the
 * server is not on the host: round_trips.php SOCKET MILLISECONDS text|markdown|FILE.svg, a picture of the page alone. The first
 * reply of each round trip is delayed. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use McPatterns\{Cache, Counter, EventLog, Limiting, Lock, MemberSet, OnlineCounter, Pool, RateLimiter, Semaphore, Table, Transport, UniqueVisitors};

require __DIR__ . '/../../tests/_support/round_trips.inc';

const CALLS = 20;

/** @return list<string> so many keys that no call before had */
function keys(int $count): array
{
	static $made = 0;
	return array_map(function () use (&$made): string {
		return 'key' . $made++;
	}, range(1, $count));
}

/** @return array<string, array{callable, ?callable}> what Direct and php-memcached are called with, of the number of the call */
function calls(Pool $pool, ?\Memcached $memcached, string $prefix): array
{
	$value = str_repeat('0123456789', 100);
	$cache = new Cache($pool, "$prefix-c:", ttl: 3600, grace: 3600);
	$page = keys(20);
	$thousand = array_fill_keys(keys(1000), str_repeat('x', 100));
	$cache->setMultiple(array_fill_keys($page, $value));
	$memcached?->setMulti(array_fill_keys($page, $value), 3600);
	$compute = fn (): string => $value;
	$tagged = $cache->tagged('shop', 'news', 'users');
	$tagged->set('tagged', $value);
	$lock = new Lock($pool, "$prefix-lock");
	$counter = new Counter($pool, "$prefix-counter");
	$online = new OnlineCounter($pool, "$prefix-online");
	$unique = new UniqueVisitors($pool, "$prefix-unique");
	$limiters = array_map(fn (Limiting $how): RateLimiter => new RateLimiter($pool, "$prefix-$how->name", 1_000_000, 3600, $how), Limiting::cases());
	$semaphore = new Semaphore($pool, "$prefix-semaphore", 3);
	$log = new EventLog($pool, "$prefix-log");
	$set = new MemberSet($pool, "$prefix-set");
	$table = new Table($pool, "$prefix-table");
	$cache->set('array', ['count' => 1]);
	$memcached?->set('counter', 0);
	$table->put('row', 'a row');
	$of = fn (?\Memcached $client, callable $call): ?callable => $client === null ? null : $call;
	return [
		'get' => [fn () => $cache->get($page[0]), $of($memcached, fn () => $memcached->get($page[0]))],
		'20 times get' => [
			fn () => array_map(fn (string $key): mixed => $cache->get($key), $page),
			$of($memcached, fn () => array_map(fn (string $key): mixed => $memcached->get($key), $page)),
		],
		'prefetch, then 20 times get' => [
			function () use ($pool, $prefix, $page): void {
				$request = new Cache($pool, "$prefix-c:");
				$request->prefetch($page);
				array_map(fn (string $key): mixed => $request->get($key), $page);
			},
			$of($memcached, fn () => $memcached->getMulti($page)),
		],
		'remember, fresh' => [fn () => $cache->remember($page[0], 3600, $compute), null],
		'remember, cold' => [
			fn () => $cache->remember(keys(1)[0], 3600, $compute),
			$of($memcached, function () use ($memcached, $value): void {
				[$key] = keys(1);
				$memcached->get($key) === false && $memcached->set($key, $value, 3600);
			}),
		],
		'rememberMany, 20 cold keys' => [fn () => $cache->rememberMany(keys(20), 3600, fn (array $missing): array => array_fill_keys($missing, $value)), null],
		'get, 3 tags' => [fn () => $tagged->get('tagged'), null],
		'invalidateTags, 4 tags' => [fn () => $cache->invalidateTags('a', 'b', 'c', 'd'), null],
		'set' => [fn () => $cache->set(keys(1)[0], $value), $of($memcached, fn () => $memcached->set(keys(1)[0], $value, 3600))],
		'setMultiple, 1,000 values of 100 bytes' => [fn () => $cache->setMultiple($thousand), $of($memcached, fn () => $memcached->setMulti($thousand, 3600))],
		'add, taken key' => [fn () => $cache->add($page[0], $value), $of($memcached, fn () => $memcached->add($page[0], $value))],
		'update' => [fn () => $cache->update('array', fn (array $old): array => ['count' => $old['count'] + 1]), $of($memcached, function () use ($memcached): void {
			$found = $memcached->get('cas', null, \Memcached::GET_EXTENDED) ?: ['value' => [], 'cas' => 0];
			$found['cas'] ? $memcached->cas($found['cas'], 'cas', ['count' => 1]) : $memcached->set('cas', ['count' => 1]);
		})],
		'expireMultiple, 20 keys' => [fn () => $cache->expireMultiple($page), null],
		'deleteMultiple, 20 keys' => [fn () => $cache->deleteMultiple(keys(20)), $of($memcached, fn () => $memcached->deleteMulti(keys(20)))],
		'Counter::increment' => [fn () => $counter->increment(), $of($memcached, fn () => $memcached->increment('counter'))],
		'Lock::acquire, release' => [
			fn () => [$lock->acquire(), $lock->release()],
			$of($memcached, fn () => [$memcached->add('lock', 'me', 10), $memcached->delete('lock')]),
		],
		'Semaphore::acquire, release' => [fn () => [$semaphore->acquire(), $semaphore->release()], null],
		'RateLimiter::attempt, fixed window' => [fn () => $limiters[0]->attempt('10.0.0.1'), $of($memcached, fn () => $memcached->increment('counter'))],
		'RateLimiter::attempt, sliding window' => [fn () => $limiters[1]->attempt('10.0.0.1'), null],
		'RateLimiter::attempt, token bucket' => [fn () => $limiters[2]->attempt('10.0.0.1'), null],
		'OnlineCounter::hit, new visitor' => [
			fn () => $online->hit(keys(1)[0]),
			$of($memcached, fn () => $memcached->add(keys(1)[0], 1, 300) && $memcached->increment('counter')),
		],
		'OnlineCounter::count' => [fn () => $online->count(), null],
		'UniqueVisitors::hit, new visitor' => [fn () => $unique->hit(keys(1)[0]), null],
		'EventLog::append' => [fn () => $log->append('event'), null],
		'EventLog::last' => [fn () => $log->last(10), null],
		'MemberSet::add; has' => [fn () => [$set->add(keys(1)[0]), $set->has('someone')], null],
		'Table::put' => [fn () => $table->put('row', 'a row'), null],
		'Table::get' => [fn () => $table->get('row'), $of($memcached, fn () => $memcached->get('row'))],
	];
}

/** @return array{float, float} round trips and milliseconds of a call */
function measured(?callable $call, callable $mark): ?array
{
	if ($call === null) {
		return null;
	}
	$call();
	$mark('first call');
	$took = [];
	for ($number = 0; $number < CALLS; $number++) {
		$begin = hrtime(true);
		$call();
		$took[] = (hrtime(true) - $begin) / 1e6;
	}
	sort($took);
	return [$mark('calls') / CALLS, $took[CALLS / 2]];
}

/** @param array{float, float}|null $of */
function cell(?array $of): string
{
	return $of === null ? '–' : sprintf('%s; %.1f ms', rtrim(rtrim(sprintf('%.2f', $of[0]), '0'), '.'), $of[1]);
}

[, $socket, $milliseconds, $how] = $argv;
$server = (object) ['address' => "unix://$socket"];
$counted = count_round_trips([$server], function (array $addresses, callable $mark) use ($milliseconds, $how): void {
	pcntl_alarm(0);
	$memcached = null;
	if (extension_loaded('memcached')) {
		$memcached = new \Memcached();
		$memcached->setOption(\Memcached::OPT_COMPRESSION, false);
		$memcached->addServer(substr($addresses[0], strlen('unix://')), 0);
	}
	$pool = new Pool($addresses[0], timeout: 30, transport: Transport::Direct);
	$calls = calls($pool, $memcached, 'b' . getmypid());
	if (str_ends_with($how, '.svg')) {
		require __DIR__ . '/page_picture.php';
		$page = ['20 times get()' => measured($calls['20 times get'][0], $mark), 'prefetch(), 20 times get()' => measured($calls['prefetch, then 20 times get'][0], $mark)];
		file_put_contents($how, Scale\PagePicture::svg($page, (float) $milliseconds));
		return;
	}
	$line = $how === 'markdown' ? "| %s | %s | %s |\n" : "%-40s %18s %18s\n";
	printf($line, 'Call', 'Direct', 'php-memcached');
	$how === 'markdown' && print("| --- | ---: | ---: |\n");
	foreach ($calls as $name => [$ours, $theirs]) {
		printf($line, $name, cell(measured($ours, $mark)), cell(measured($theirs, $mark)));
	}
}, (int) (1000 * (float) $milliseconds));
exit($counted === [] ? 1 : 0);
