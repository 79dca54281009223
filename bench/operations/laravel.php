<?php
/* Operations of Laravel's repository, over Laravel's own driver for memcached and over this project's. Run by bench/laravel:
 * laravel.php SOCKET CLIENT OPERATION CALLS, with Laravel's packages in MCP_BENCH_LARAVEL; without arguments, the operations. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Bench;

use Illuminate\Cache\CacheServiceProvider;
use Illuminate\Cache\RateLimiter;
use Illuminate\Cache\Repository;
use Illuminate\Config\Repository as Config;
use Illuminate\Events\EventServiceProvider;
use Illuminate\Foundation\Application;
use McPatterns\Adapters\Laravel\McPatternsServiceProvider;

/** @return array<string, callable(Repository, Application): callable> operation => what prepares its one call */
function laravel_operations(): array
{
	$rows = array_fill_keys(['id', 'name', 'title', 'slug', 'author', 'date', 'body', 'tags', 'views', 'score'], 'some text of a field');
	$compute = fn (): array => $rows;
	$many = array_fill_keys(array_map(fn (int $number): string => "key $number", range(1, 100)), $rows);
	return [
		'get' => fn (Repository $cache): callable => [$cache->put('hit', $rows, 600), fn (): mixed => $cache->get('hit')][1],
		'remember' => fn (Repository $cache): callable => [$cache->put('hit', $rows, 600), fn (): mixed => $cache->remember('hit', 600, $compute)][1],
		'flexible' => fn (Repository $cache): callable => [$cache->flexible('hit', [300, 600], $compute),
			fn (): mixed => $cache->flexible('hit', [300, 600], $compute)][1],
		'put' => fn (Repository $cache): callable => fn (): bool => $cache->put('new', $rows, 600),
		'many' => fn (Repository $cache): callable => [$cache->putMany($many, 600), fn (): array => $cache->many(array_keys($many))][1],
		'increment' => fn (Repository $cache): callable => [$cache->forget('number'), $cache->add('number', 0, 600),
			fn (): mixed => $cache->increment('number')][2],
		'hit' => function (Repository $cache, Application $app): callable {
			$limiter = $app->make(RateLimiter::class);
			return fn (): mixed => $limiter->hit('limited');
		},
	];
}

function laravel_application(string $socket, string $client): Application
{
	require getenv('MCP_BENCH_LARAVEL') . '/autoload.php';
	require __DIR__ . '/../../adapters/tests/laravel/stand-ins.php';
	spl_autoload_register(function (string $class): void {
		$file = __DIR__ . '/../../adapters/src/' . strtr(substr($class, strlen('McPatterns\\Adapters\\')), '\\', '/') . '.php';
		if (str_starts_with($class, 'McPatterns\\Adapters\\')) {
			require $file;
		}
	});
	$app = new Application('/nonexistent');
	$app->instance('config', new Config(['cache' => ['default' => $client, 'prefix' => "$client-cache-", 'stores' => [
		'laravel' => ['driver' => 'memcached', 'servers' => [['host' => $socket, 'port' => 0, 'weight' => 100]]],
		'mcpatterns' => ['driver' => 'mcpatterns', 'servers' => "unix://$socket", 'transport' => 'libmemcached'],
		'direct' => ['driver' => 'mcpatterns', 'servers' => "unix://$socket", 'transport' => 'direct'],
	]]]));
	array_map($app->register(...), [EventServiceProvider::class, CacheServiceProvider::class, McPatternsServiceProvider::class]);
	$app->boot();
	return $app;
}

if ($argc === 1) {
	echo implode("\n", array_keys(laravel_operations())), "\n";
	exit(0);
}
[, $socket, $client, $operation, $calls] = $argv;
$app = laravel_application($socket, $client);
$call = laravel_operations()[$operation]($app->make('cache')->store(), $app);
for ($left = (int) $calls; $left > 0; $left--) {
	$call();
}
