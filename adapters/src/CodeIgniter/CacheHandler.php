<?php
/* CodeIgniter's cache over a Cache. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\CodeIgniter;

use CodeIgniter\Cache\Handlers\BaseHandler;
use CodeIgniter\Exceptions\BadMethodCallException;
use Config\Cache as Config;
use McPatterns\Adapters\{Configured, Decoded, Remembered, Written};
use McPatterns\Adapters\Psr\Seconds;
use McPatterns\{Cache, Clock, Pool, Status, StoredValueException};

/**
 * The handler 'mcpatterns' of Config\Cache, whose array $mcpatterns has the parameters of Pool and Cache. A server that is down
 * is a miss, and false for writes. null is as good as no value.
 */
final class CacheHandler extends BaseHandler
{
	/** Seconds, as in CodeIgniter's own handlers; also of a number that increment() begins. */
	private const DEFAULT_TTL = 60;

	private Configured $configured;

	public function __construct(private readonly Config $config)
	{
		$this->prefix = $config->prefix;
	}

	/** Asks no server: one that does not reply is skipped, and the backup handler is not used. */
	public function initialize(): void
	{
		$settings = get_object_vars($this->config)['mcpatterns'] ?? [];
		$log = function (string $message): void {
			log_message('error', "mcpatterns: $message");
		};
		$this->configured = new Configured("Config\\Cache's setting", is_array($settings) ? $settings : [], $this->config->prefix, 'codeigniter:', $log);
	}

	public function get(string $key): mixed
	{
		$name = self::validateKey($key);
		return Decoded::one(fn (): mixed => $this->cache()->get($name), null);
	}

	/** $ttl 0: no end. */
	public function save(string $key, mixed $value, int $ttl = self::DEFAULT_TTL): bool
	{
		$name = self::validateKey($key);
		$cache = $this->cache();
		return $ttl < 0 ? $cache->delete($name) : Written::set($cache, $name, $value, Seconds::ttl($ttl));
	}

	/** One process of all computes, and the others wait for its value. */
	public function remember(string $key, int $ttl, \Closure $callback): mixed
	{
		return Remembered::by($this->cache(), self::validateKey($key), $ttl, fn (): mixed => $callback(), is_null(...));
	}

	/** Whether there was something. */
	public function delete(string $key): bool
	{
		return $this->cache()->forget(self::validateKey($key));
	}

	/** memcached cannot list its keys. */
	public function deleteMatching(string $pattern): never
	{
		throw new BadMethodCallException('memcached cannot list its keys: use tags, by cache()->tagged() of this handler.');
	}

	/** False if the value is not an integer, or if the server is down. */
	public function increment(string $key, int $offset = 1): int|false
	{
		try {
			return $this->cache()->increment(self::validateKey($key), $offset, 0, self::DEFAULT_TTL);
		} catch (StoredValueException) {
			return false;
		}
	}

	public function decrement(string $key, int $offset = 1): int|false
	{
		return $this->increment($key, -$offset);
	}

	/** Everything under the prefix, and nothing else on the servers. */
	public function clean(): bool
	{
		return $this->cache()->clear();
	}

	/** @return array<string, array<string, mixed>|null> memcached's statistics by server */
	public function getCacheInfo(): array
	{
		return $this->pool()->stats();
	}

	/** @return array{expire: int|null, mtime: int, data: mixed}|null */
	public function getMetaData(string $key): ?array
	{
		$name = self::validateKey($key);
		$entry = Decoded::one(fn () => $this->cache()->entry($name), null);
		if ($entry === null || $entry->status === Status::Miss) {
			return null;
		}
		$now = Clock::now();
		$expiry = $entry->expiresIn === null ? null : (int) round($now + $entry->expiresIn);
		return ['expire' => $expiry, 'mtime' => (int) ($now - ($entry->age ?? 0)), 'data' => $entry->value];
	}

	public function isSupported(): bool
	{
		return extension_loaded('mcpatterns');
	}

	/** Whether every server replies. */
	public function ping(): bool
	{
		return !in_array(null, $this->pool()->ping(), true);
	}

	public function reconnect(): bool
	{
		$this->pool()->close();
		return $this->ping();
	}

	/** For the methods that CodeIgniter's interface does not have. */
	public function cache(): Cache
	{
		return $this->configured->cache;
	}

	public function pool(): Pool
	{
		return $this->configured->pool;
	}
}
