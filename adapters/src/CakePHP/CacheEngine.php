<?php
/* CakePHP's cache engine over a Cache. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\CakePHP;

use Cake\Log\Log;
use McPatterns\Adapters\{Configured, Decoded, Written};
use McPatterns\Adapters\Psr\Seconds;
use McPatterns\{Cache, Pool, StoredValueException, UnstorableException};

/**
 * The configuration's groups are the extension's tags: clearGroup() deletes all their values at once. A server that is down is
 * a miss, and false for writes.
 */
final class CacheEngine extends \Cake\Cache\CacheEngine
{
	/** Settings of Cake's registry, its DSNs and the base class. */
	private const CAKE = ['className', 'engine', 'duration', 'groups', 'prefix', 'warnOnWriteFailures', 'fallback', 'url', 'scheme', 'host', 'port', 'path', 'name'];

	private Configured $configured;
	/** With the groups. */
	private Cache $cache;

	/** @param array<string, mixed> $config also the parameters of Pool and Cache, by name */
	public function init(array $config = []): bool
	{
		parent::init($config);
		$settings = array_diff_key($this->_config, array_flip(self::CAKE));
		if (!isset($settings['servers']) && is_string($host = $config['host'] ?? null)) {
			$settings['servers'] = is_numeric($port = $config['port'] ?? null) ? "$host:$port" : $host;
		}
		$prefix = is_string($this->_config['prefix']) ? $this->_config['prefix'] : '';
		$log = function (string $message): void {
			class_exists(Log::class) && Log::warning("mcpatterns: $message");
		};
		$this->configured = new Configured("The cache configuration's setting", $settings, $prefix, 'cake:', $log);
		$this->cache = $this->groups() === [] ? $this->native() : $this->native()->tagged($this->groups());
		return true;
	}

	public function get(string $key, mixed $default = null): mixed
	{
		$name = $this->name($key);
		return Decoded::one(fn (): mixed => $this->cache->get($name, $default), $default);
	}

	public function set(string $key, mixed $value, \DateInterval|int|null $ttl = null): bool
	{
		return $this->setMultiple([$key => $value], $ttl);
	}

	/**
	 * Asks the servers before it returns.
	 *
	 * @param iterable<array-key> $keys
	 * @return array<array-key, mixed>
	 */
	public function getMultiple(iterable $keys, mixed $default = null): array
	{
		$names = $this->names($keys);
		$values = Decoded::many($this->cache, array_values($names), $default);
		return array_map(fn (string $name): mixed => $values[$name], $names);
	}

	/** @param iterable<array-key, mixed> $values */
	public function setMultiple(iterable $values, \DateInterval|int|null $ttl = null): bool
	{
		$named = [];
		foreach ($values as $key => $value) {
			$named[$this->name($key)] = $value;
		}
		$seconds = $this->duration($ttl);
		if ($seconds < 0) {
			return $this->cache->deleteMultiple(array_keys($named));
		}
		return Written::by($this->cache, fn (): bool => $this->cache->setMultiple($named, Seconds::ttl($seconds)));
	}

	public function has(string $key): bool
	{
		$name = $this->name($key);
		return Decoded::one(fn (): bool => $this->cache->has($name), false);
	}

	/** Atomic: of all that try at once one stores. */
	public function add(string $key, mixed $value): bool
	{
		try {
			return $this->cache->add($this->name($key), $value, Seconds::ttl(max(0, $this->duration(null))));
		} catch (UnstorableException) {
			return false;
		}
	}

	/** False if there is no value, if it is not an integer, or if the server is down. */
	public function increment(string $key, int $offset = 1): int|false
	{
		try {
			return $this->cache->increment($this->name($key), $offset);
		} catch (StoredValueException) {
			return false;
		}
	}

	public function decrement(string $key, int $offset = 1): int|false
	{
		return $this->increment($key, -$offset);
	}

	/** Whether there was something. */
	public function delete(string $key): bool
	{
		return $this->cache->forget($this->name($key));
	}

	/** @param iterable<array-key> $keys */
	public function deleteMultiple(iterable $keys): bool
	{
		return $this->cache->deleteMultiple(array_values($this->names($keys)));
	}

	/** Everything under the prefix, and nothing else on the servers. */
	public function clear(): bool
	{
		return $this->native()->clear();
	}

	/** In all configurations of this prefix that have the group. */
	public function clearGroup(string $group): bool
	{
		return $this->native()->deleteTags($group);
	}

	/** For the methods that Cake's interface does not have. */
	public function native(): Cache
	{
		return $this->configured->cache;
	}

	public function pool(): Pool
	{
		return $this->configured->pool;
	}

	/** Cake's own without the prefix, which is the Pool's: configurations with other groups have other keys. */
	private function name(mixed $key): string
	{
		$name = is_int($key) || is_string($key) ? (string) $key : '';
		$this->ensureValidKey($name);
		return ($this->groups() === [] ? '' : hash('xxh128', implode('_', $this->groups()))) . $name;
	}

	/**
	 * @param iterable<array-key> $keys
	 * @return array<array-key, string> by key
	 */
	private function names(iterable $keys): array
	{
		$names = [];
		foreach ($keys as $key) {
			$names[$key] = $this->name($key);
		}
		return $names;
	}
}
