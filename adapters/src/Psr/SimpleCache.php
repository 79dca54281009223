<?php
/* PSR-16 over a Cache. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

use McPatterns\Adapters\{Decoded, Written};
use McPatterns\Cache;
use Psr\SimpleCache\CacheInterface;

/**
 * A Cache with PSR-16's methods and rules. Methods never throw because of a server: reads miss and writes return false.
 * Writes also return false for a value that cannot be stored, for example because it throws during serialization.
 * Cache::stats() counts such values.
 *
 * With `grace: 0`, the Cache never serves a value after its TTL, as PSR-16 requires. With a grace, one of the callers
 * that find an expired value gets the default. The others get the stale value until that caller has set a new value, so
 * code that gets, computes and sets has no stampede. clear() requires a Cache with `clearable: true`, and otherwise
 * throws LogicException.
 */
final class SimpleCache implements CacheInterface
{
	public function __construct(private readonly Cache $cache)
	{
	}

	public function get(string $key, mixed $default = null): mixed
	{
		self::legal($key);
		return Decoded::one(fn (): mixed => $this->cache->get($key, $default), $default);
	}

	public function set(string $key, mixed $value, \DateInterval|int|null $ttl = null): bool
	{
		self::legal($key);
		$seconds = $ttl === null ? null : Seconds::of($ttl);
		if ($seconds !== null && $seconds <= 0) {
			return $this->cache->delete($key);
		}
		return Written::set($this->cache, $key, $value, $seconds === null ? null : Seconds::ttl($seconds));
	}

	public function delete(string $key): bool
	{
		return $this->cache->delete(self::legal($key));
	}

	public function clear(): bool
	{
		return $this->cache->clear();
	}

	/**
	 * Reads all values before it returns.
	 *
	 * @return iterable<string, mixed> an array, or a generator if a key is a number such as "12", which an array would
	 *         convert to an integer
	 */
	public function getMultiple(iterable $keys, mixed $default = null): iterable
	{
		$values = Decoded::many($this->cache, self::allLegal($keys), $default);
		$named = array_filter($values, is_string(...), ARRAY_FILTER_USE_KEY);
		return count($named) === count($values) ? $named : self::byKeys($values);
	}

	/** @param iterable<array-key, mixed> $values */
	public function setMultiple(iterable $values, \DateInterval|int|null $ttl = null): bool
	{
		$legal = [];
		foreach ($values as $key => $value) {
			$legal[self::legal(is_int($key) ? (string) $key : $key)] = $value;
		}
		$seconds = $ttl === null ? null : Seconds::of($ttl);
		if ($seconds !== null && $seconds <= 0) {
			return $this->cache->deleteMultiple(array_keys($legal));
		}
		return Written::by($this->cache, fn (): bool => $this->cache->setMultiple($legal, $seconds === null ? null : Seconds::ttl($seconds)));
	}

	public function deleteMultiple(iterable $keys): bool
	{
		return $this->cache->deleteMultiple(self::allLegal($keys));
	}

	public function has(string $key): bool
	{
		self::legal($key);
		return Decoded::one(fn (): bool => $this->cache->has($key), false);
	}

	private static function legal(mixed $key): string
	{
		$complaint = KeyRules::complaint($key);
		if ($complaint !== null || !is_string($key)) {
			throw new InvalidSimpleCacheArgument($complaint ?? '');
		}
		return $key;
	}

	/**
	 * @param iterable<mixed> $keys
	 * @return list<string>
	 */
	private static function allLegal(iterable $keys): array
	{
		$legal = [];
		foreach ($keys as $key) {
			$legal[] = self::legal($key);
		}
		return $legal;
	}

	/**
	 * @param array<array-key, mixed> $values
	 * @return \Generator<string, mixed>
	 */
	private static function byKeys(array $values): \Generator
	{
		foreach ($values as $key => $value) {
			yield (string) $key => $value;
		}
	}
}
