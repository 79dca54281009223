<?php
/* The operations that are measured, for this extension and for php-memcached's nearest bare call. Each
 * prepares what it needs and returns the loop, so that nothing but the calls is in it. No client touches
 * another's keys: php-memcached 3.2 can crash on a serialized value that it did not write. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

require __DIR__ . '/named.php';
require __DIR__ . '/near.php';
require __DIR__ . '/several.php';
require __DIR__ . '/visitors.php';

use McPatterns\{Cache, Counter, EventLog, Limiting, Lock, MemberSet, Pool, RateLimiter, Semaphore, Table};

function memcached(string $socket): \Memcached
{
	$memcached = new \Memcached();
	$memcached->addServer($socket, 0);
	return $memcached;
}

/**
 * A process measures one transport: all of its pools have the one that the first was made with. They wait for long, because a
 * busy machine would else have servers left alone, and what is answered without them is quick.
 */
function pool(string|array $socket, ?\McPatterns\Transport $chosen = null, mixed ...$options): Pool
{
	static $transport = \McPatterns\Transport::Libmemcached;
	$transport = $chosen ?? $transport;
	return new Pool(array_map(fn (string $each): string => "unix://$each", (array) $socket), ...$options, timeout: 30, transport: $transport);
}

/** A thousand bytes, as a piece of a page. */
function text(): string
{
	return str_repeat('0123456789', 100);
}

/** The ten newest articles, as a query gives them. */
function rows(): array
{
	$row = ['id' => 4711, 'title' => 'A headline of ordinary length', 'author' => 'somebody', 'votes' => 42];
	return array_map(fn (int $number): array => ['id' => $number] + $row, range(1, 10));
}

/** @return array<string, callable> both clients of an operation that gets one value */
function getting(mixed $value, int $near = 0): array
{
	return [
		'mcpatterns' => function (Pool $pool) use ($value, $near): callable {
			$cache = new Cache($pool, near: $near);
			$cache->set('mcp', $value);
			return function (int $calls) use ($cache): void {
				for ($call = 0; $call < $calls; $call++) {
					$cache->get('mcp');
				}
			};
		},
		'memcached' => function (\Memcached $memcached) use ($value): callable {
			$memcached->set('mem', $value, 3600);
			return function (int $calls) use ($memcached): void {
				for ($call = 0; $call < $calls; $call++) {
					$memcached->get('mem');
				}
			};
		},
	];
}

/** @return array<string, callable> */
function setting(mixed $value): array
{
	return [
		'mcpatterns' => function (Pool $pool) use ($value): callable {
			$cache = new Cache($pool);
			return function (int $calls) use ($cache, $value): void {
				for ($call = 0; $call < $calls; $call++) {
					$cache->set('mcp', $value, 3600);
				}
			};
		},
		'memcached' => fn (\Memcached $memcached): callable => function (int $calls) use ($memcached, $value): void {
			for ($call = 0; $call < $calls; $call++) {
				$memcached->set('mem', $value, 3600);
			}
		},
	];
}

/** Twenty thousand bytes, as a page of a site: the same tags, other words. */
function page(): string
{
	mt_srand(1);
	$words = ['river', 'house', 'light', 'because', 'nothing', 'market', 'garden', 'always', 'between', 'letter', 'winter', 'people'];
	$page = '';
	while (strlen($page) < 20_000) {
		$page .= '<li class="item"><a href="/article/' . mt_rand(1, 99999) . '">';
		for ($word = 0; $word < 9; $word++) {
			$page .= $words[mt_rand(0, count($words) - 1)] . ' ';
		}
		$page .= "</a></li>\n";
	}
	return substr($page, 0, 20_000);
}

/** @return array<string, callable> the same operation with php-memcached set otherwise; its constants by their names */
function against(array $clients, string $option, string $choice): array
{
	$prepare = $clients['memcached'];
	$clients['memcached'] = function (\Memcached $memcached) use ($prepare, $option, $choice): callable {
		$memcached->setOption(constant("Memcached::$option"), constant("Memcached::$choice"));
		return $prepare($memcached);
	};
	return $clients;
}

/** @return array<string, callable> a hit whose signature is looked at; php-memcached has none, so its user hashes by hand */
function getting_signed(mixed $value): array
{
	return [
		'mcpatterns' => fn (Pool $pool): callable =>
			getting($value)['mcpatterns'](pool(substr($pool->servers()[0]['host'], strlen('unix://')), signingKey: 'secret')),
		'memcached' => function (\Memcached $memcached) use ($value): callable {
			$memcached->set('mem', [hash_hmac('sha256', "mem$value", 'secret', true), $value], 3600);
			return function (int $calls) use ($memcached): void {
				for ($call = 0; $call < $calls; $call++) {
					[$signature, $found] = $memcached->get('mem');
					hash_equals(hash_hmac('sha256', "mem$found", 'secret', true), $signature) || throw new Error('forged');
				}
			};
		},
	];
}

/** @return array<string, callable> a hit through a view, against one without tags, which php-memcached has none of */
function getting_tagged(mixed $value, int $tags): array
{
	return [
		'mcpatterns' => function (Pool $pool) use ($value, $tags): callable {
			$cache = (new Cache($pool))->tagged(...array_map(fn (int $number): string => "tag:$number", range(1, $tags)));
			$cache->set('mcp', $value);
			return function (int $calls) use ($cache): void {
				for ($call = 0; $call < $calls; $call++) {
					$cache->get('mcp');
				}
			};
		},
		'memcached' => getting($value)['memcached'],
	];
}

/** @return array<string, callable> a fresh hit by remember, against get with the test for a miss */
function remembering(mixed $value, int $near = 0): array
{
	return [
		'mcpatterns' => function (Pool $pool) use ($value, $near): callable {
			$cache = new Cache($pool, near: $near);
			$cache->set('mcp', $value);
			$compute = fn (): mixed => $value;
			return function (int $calls) use ($cache, $compute): void {
				for ($call = 0; $call < $calls; $call++) {
					$cache->remember('mcp', 3600, $compute);
				}
			};
		},
		'memcached' => function (\Memcached $memcached) use ($value): callable {
			$memcached->set('mem', $value, 3600);
			return function (int $calls) use ($memcached, $value): void {
				for ($call = 0; $call < $calls; $call++) {
					if ($memcached->get('mem') === false) {
						$memcached->set('mem', $value, 3600);
					}
				}
			};
		},
	];
}

/** @return array<string, callable> */
function getting_many(int $count, int $near = 0): array
{
	$values = fn (string $client): array => array_fill_keys(
		array_map(fn (int $number): string => "$client-$number", range(1, $count)),
		text(),
	);
	return [
		'mcpatterns' => function (Pool $pool) use ($values, $near): callable {
			$cache = new Cache($pool, near: $near);
			$cache->setMultiple($values('mcp'));
			$keys = array_keys($values('mcp'));
			return function (int $calls) use ($cache, $keys): void {
				for ($call = 0; $call < $calls; $call++) {
					$cache->getMultiple($keys);
				}
			};
		},
		'memcached' => function (\Memcached $memcached) use ($values): callable {
			$memcached->setMulti($values('mem'), 3600);
			$keys = array_keys($values('mem'));
			return function (int $calls) use ($memcached, $keys): void {
				for ($call = 0; $call < $calls; $call++) {
					$memcached->getMulti($keys);
				}
			};
		},
	];
}

/** @return array<string, callable> a number that is counted, against the bare increment */
function counting(): array
{
	return [
		'mcpatterns' => function (Pool $pool): callable {
			$counter = new Counter($pool, 'mcp-counter');
			$counter->increment();
			return function (int $calls) use ($counter): void {
				for ($call = 0; $call < $calls; $call++) {
					$counter->increment();
				}
			};
		},
		'memcached' => function (\Memcached $memcached): callable {
			$memcached->set('mem-counter', 0);
			return function (int $calls) use ($memcached): void {
				for ($call = 0; $call < $calls; $call++) {
					$memcached->increment('mem-counter');
				}
			};
		},
	];
}

/** @return array<string, callable> a cached number that is counted, with its side key */
function counting_cached(): array
{
	return [
		'mcpatterns' => function (Pool $pool): callable {
			$cache = new Cache($pool);
			$cache->set('number', 0);
			$cache->increment('number');
			return function (int $calls) use ($cache): void {
				for ($call = 0; $call < $calls; $call++) {
					$cache->increment('number');
				}
			};
		},
		'memcached' => counting()['memcached'],
	];
}

/** @return array<string, callable> a lock taken and released; bare add and delete is what must not be done */
function locking(): array
{
	return [
		'mcpatterns' => function (Pool $pool): callable {
			$lock = new Lock($pool, 'mcp-lock');
			return function (int $calls) use ($lock): void {
				for ($call = 0; $call < $calls; $call++) {
					$lock->acquire();
					$lock->release();
				}
			};
		},
		'memcached' => fn (\Memcached $memcached): callable => function (int $calls) use ($memcached): void {
			for ($call = 0; $call < $calls; $call++) {
				$memcached->add('mem-lock', 'me', 11);
				$memcached->delete('mem-lock');
			}
		},
	];
}

/** @return array<string, callable> one permit of three; bare add and delete of one key is not the same thing */
function permitting(): array
{
	return [
		'mcpatterns' => function (Pool $pool): callable {
			$semaphore = new Semaphore($pool, 'mcp-semaphore', 3);
			return function (int $calls) use ($semaphore): void {
				for ($call = 0; $call < $calls; $call++) {
					$semaphore->acquire();
					$semaphore->release();
				}
			};
		},
		'memcached' => locking()['memcached'],
	];
}

/** @return array<string, callable> an attempt that is admitted; bare, a number of the period, which an add starts */
function limiting(Limiting $how): array
{
	return [
		'mcpatterns' => function (Pool $pool) use ($how): callable {
			$limiter = new RateLimiter($pool, 'login', 1_000_000_000, 3600, $how);
			return function (int $calls) use ($limiter): void {
				for ($call = 0; $call < $calls; $call++) {
					$limiter->attempt('10.0.0.1');
				}
			};
		},
		'memcached' => function (\Memcached $memcached): callable {
			$memcached->set('mem-login:10.0.0.1', 0);
			return function (int $calls) use ($memcached): void {
				for ($call = 0; $call < $calls; $call++) {
					$memcached->increment('mem-login:10.0.0.1') <= 1_000_000_000;
				}
			};
		},
	];
}

/** @return array<string, callable> an event of 200 bytes; bare append is what adds nothing to an absent item */
function appending(): array
{
	$event = str_repeat('0123456789', 20);
	return [
		'mcpatterns' => function (Pool $pool) use ($event): callable {
			$log = new EventLog($pool, 'mcp-log', 3600, 60);
			return function (int $calls) use ($log, $event): void {
				for ($call = 0; $call < $calls; $call++) {
					$log->append($event);
				}
			};
		},
		'memcached' => function (\Memcached $memcached) use ($event): callable {
			$memcached->setOption(\Memcached::OPT_COMPRESSION, false);
			$memcached->set('mem-log', '', 3600);
			return function (int $calls) use ($memcached, $event): void {
				for ($call = 0; $call < $calls; $call++) {
					$memcached->append('mem-log', $event);
				}
			};
		},
	];
}

/** @return array<string, callable> nothing new: the usual answer to a reader that keeps up */
function following(): array
{
	return [
		'mcpatterns' => function (Pool $pool): callable {
			$log = new EventLog($pool, 'mcp-followed', 3600, 60);
			$log->append('event');
			$cursor = null;
			$log->since($cursor);
			return function (int $calls) use ($log, $cursor): void {
				for ($call = 0; $call < $calls; $call++) {
					$log->since($cursor);
				}
			};
		},
		'memcached' => function (\Memcached $memcached): callable {
			$memcached->set('mem-followed', 'event', 3600);
			return function (int $calls) use ($memcached): void {
				for ($call = 0; $call < $calls; $call++) {
					$memcached->getMulti(['mem-followed', 'mem-followed-before']);
				}
			};
		},
	];
}

/** @return array<string, callable> one of 100 members; bare, of a list that is serialized whole */
function looking_up(): array
{
	$members = array_map(fn (int $number): string => "member-$number", range(1, 100));
	return [
		'mcpatterns' => function (Pool $pool) use ($members): callable {
			$set = new MemberSet($pool, 'mcp-set');
			$set->clear(); // the run before has left some
			$set->add(...$members);
			return function (int $calls) use ($set): void {
				for ($call = 0; $call < $calls; $call++) {
					$set->has('member-50');
				}
			};
		},
		'memcached' => function (\Memcached $memcached) use ($members): callable {
			$memcached->set('mem-set', $members, 3600);
			return function (int $calls) use ($memcached): void {
				for ($call = 0; $call < $calls; $call++) {
					in_array('member-50', $memcached->get('mem-set'), true);
				}
			};
		},
	];
}

/** @return array<string, callable> a row put again; bare, a value and an append to a list of keys */
function putting(): array
{
	return [
		'mcpatterns' => function (Pool $pool): callable {
			$table = new Table($pool, 'mcp-table');
			return function (int $calls) use ($table): void {
				for ($call = 0; $call < $calls; $call++) {
					$table->put('row', 'a short row');
				}
			};
		},
		'memcached' => function (\Memcached $memcached): callable {
			$memcached->setOption(\Memcached::OPT_COMPRESSION, false);
			$memcached->set('mem-table', '', 3600);
			return function (int $calls) use ($memcached): void {
				for ($call = 0; $call < $calls; $call++) {
					$memcached->set('mem-row', 'a short row');
					$memcached->append('mem-table', '+row');
				}
			};
		},
	];
}

/** @return array<string, array<string, callable>> operation => client => what prepares the loop */
function operations(): array
{
	return [
		'get, string of 1,000 bytes' => getting(text()),
		'get, array of 10 rows' => getting(rows()),
		'get, array of 10 rows by igbinary' => against(getting(rows()), 'OPT_SERIALIZER', 'SERIALIZER_IGBINARY'),
		'get, page of 20 KB, against zlib' => against(getting(page()), 'OPT_COMPRESSION_TYPE', 'COMPRESSION_ZLIB'),
		'get, page of 20 KB, against fastlz' => against(getting(page()), 'OPT_COMPRESSION_TYPE', 'COMPRESSION_FASTLZ'),
		'get, near, out of the object' => getting(text(), near: 60),
		'get, near, out of the host' => getting_shared(text()),
		'get, signed string of 1,000 bytes' => getting_signed(text()),
		'get, integer' => getting(4711),
		'get, tagged string of 1,000 bytes' => getting_tagged(text(), 1),
		'get, string of 1,000 bytes with 4 tags' => getting_tagged(text(), 4),
		'remember, fresh string of 1,000 bytes' => remembering(text()),
		'set, string of 1,000 bytes' => setting(text()),
		'set, array of 10 rows' => setting(rows()),
		'set, array of 10 rows by igbinary' => against(setting(rows()), 'OPT_SERIALIZER', 'SERIALIZER_IGBINARY'),
		'set, page of 20 KB, against zlib' => against(setting(page()), 'OPT_COMPRESSION_TYPE', 'COMPRESSION_ZLIB'),
		'set, page of 20 KB, against fastlz' => against(setting(page()), 'OPT_COMPRESSION_TYPE', 'COMPRESSION_FASTLZ'),
		'getMultiple, 10 strings of 1,000 bytes' => getting_many(10),
		'getMultiple, 100 strings of 1,000 bytes' => getting_many(100),
		'getMultiple, 100 strings, near, out of the host' => getting_many_shared(100),
		'Cache::increment' => counting_cached(),
		'Counter::increment' => counting(),
		'Lock::acquire, release' => locking(),
		'Semaphore::acquire, release' => permitting(),
		'UniqueVisitors::hit, known' => seeing(),
		'UniqueVisitors::hit, new' => welcoming(),
		'RateLimiter::attempt, FixedWindow' => limiting(Limiting::FixedWindow),
		'RateLimiter::attempt, SlidingWindow' => limiting(Limiting::SlidingWindow),
		'RateLimiter::attempt, TokenBucket' => limiting(Limiting::TokenBucket),
		'EventLog::append, 200 bytes' => appending(),
		'EventLog::since, nothing new' => following(),
		'MemberSet::has, one of 100' => looking_up(),
		'Table::put' => putting(),
	] + several_operations() + named_operations();
}
