<?php
/* MediaWiki's object cache in memcached, by the PHP extension mcpatterns: a BagOStuff for core's WANObjectCache and
 * all other uses in core. In LocalSettings.php:
 *
 *     $wgAutoloadClasses['McPatterns\Adapters\MediaWiki\BagOStuff'] = '/path/to/adapters/mediawiki/BagOStuff.php';
 *     $wgObjectCaches['mcpatterns'] = ['class' => 'McPatterns\Adapters\MediaWiki\BagOStuff'];
 *     $wgMainCacheType = 'mcpatterns';
 *     $wgMemCachedServers = ['10.0.0.5:11211', '10.0.0.6:11211']; */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\MediaWiki;

use McPatterns\Cache;
use McPatterns\Lock;
use McPatterns\Pool;
use McPatterns\ServerException;
use McPatterns\StoredValueException;
use McPatterns\UnstorableException;

/* MediaWiki before 1.43 has its classes in the global namespace. */
if (!class_exists('Wikimedia\ObjectCache\MemcachedBagOStuff')) {
	class_alias('MemcachedBagOStuff', 'Wikimedia\ObjectCache\MemcachedBagOStuff');
}

/**
 * Values of WANObjectCache are stored in a guarded cache: only if the key was not purged after it was read. This holds
 * even if the purge itself was lost: evicted, restarted, or a delete without a hold-off. All other values, including
 * purges, are stored unconditionally, because a session is stored nowhere else, and a conflict would empty it.
 */
class BagOStuff extends \Wikimedia\ObjectCache\MemcachedBagOStuff
{
	/** Hold-off of WANObjectCache, in seconds. */
	private const HOLDOFF = 11;
	/** Keys of WANObjectCache's values in both of its schemes. Keys of its purges, locks and pauses end differently. */
	private const VALUE_OF_WAN = '/^WANCache:.*(?:\|#\||\}:)v$/s';

	private readonly Pool $pool;
	private readonly Cache $plain;
	private readonly Cache $guarded;
	private readonly bool $isGuarded;
	private readonly string $prefix;
	/** Number of failures that were reported to core. */
	private int $failures = 0;
	/** @var array<string, float> key => time since which guarded stores are refused */
	private array $refused = [];
	/** @var array<string, Lock> locks that this request holds */
	private array $held = [];

	/**
	 * In addition to core's own parameters: `servers` ($wgMemCachedServers unless given), `timeout` in microseconds
	 * ($wgMemCachedTimeout; null: the settings of php.ini, which also apply to parameters missing in `pool`), `pool`,
	 * further parameters of McPatterns\Pool by name, which take precedence, and `prefix` of all keys. No network
	 * access. With `failover` in `pool`, guarding is disabled.
	 *
	 * @param array<string, mixed> $params
	 * @throws \Error if a parameter is invalid
	 */
	public function __construct(array $params)
	{
		if (!extension_loaded('mcpatterns')) {
			throw new \RuntimeException('the PHP extension mcpatterns is not loaded');
		}
		if (($params['routingPrefix'] ?? '') !== '') {
			throw new \ValueError('routingPrefix is for mcrouter, which this cache does not support');
		}
		parent::__construct($params);
		$settings = ($params['pool'] ?? []) + [
			'servers' => $params['servers'] ?? null,
			'timeout' => isset($params['timeout']) ? $params['timeout'] / 1e6 : null,
		];
		$this->pool = new Pool(...$settings);
		$this->pool->onError(fn (string $message) => $this->logger->error($message));
		$this->prefix = $params['prefix'] ?? 'mw:';
		$view = fn (bool $guarded): Cache => new Cache($this->pool, $this->prefix, ttl: 0, grace: 0, stale: false,
			guarded: $guarded, holdoff: self::HOLDOFF);
		$this->plain = $view(false);
		$this->isGuarded = !($settings['failover'] ?? false);
		$this->guarded = $view($this->isGuarded);
	}

	/** The token is the value itself, which doCas() compares during the update. */
	protected function doGet($key, $flags = 0, &$casToken = null)
	{
		$found = $this->doGetMulti([$key]);
		$isToken = $casToken === self::PASS_BY_REF && $found !== [];
		$casToken = $isToken ? $found[$key] : null;
		return $found === [] ? false : $found[$key];
	}

	/** One round trip per server, and another if a value of WANObjectCache is missing. */
	protected function doGetMulti(array $keys, $flags = 0)
	{
		$view = $this->viewOf(...$keys);
		$found = array_filter($this->read($view, $keys), fn (mixed $value): bool => $value !== false);
		if (count($found) < count($keys)) {
			$this->tellFailures();
			array_map($this->lookAnew(...), array_diff($keys, array_keys($found)));
		}
		return $found;
	}

	protected function doSet($key, $value, $exptime = 0, $flags = 0)
	{
		return $this->doSetMulti([$key => $value], $exptime, $flags);
	}

	/** Used for each purge of WANObjectCache, so it must not be refused. */
	protected function doSetMulti(array $data, $exptime = 0, $flags = 0)
	{
		if ($this->isOver($exptime)) {
			return $this->doDeleteMulti(array_keys($data));
		}
		return $this->write(fn (): bool => $this->plain->setMultiple(array_map($this->counted(...), $data), $this->getExpirationAsTTL($exptime)));
	}

	protected function doAdd($key, $value, $exptime = 0, $flags = 0)
	{
		if ($this->isOver($exptime)) {
			return !$this->plain->has((string) $key);
		}
		return $this->store((string) $key, fn (): bool => $this->viewOf($key)->add((string) $key, $this->counted($value), $this->getExpirationAsTTL($exptime)));
	}

	/** Stores if the value is still that of the token. For values of WANObjectCache, the item that this request has first read is not newer than the token. */
	protected function doCas($casToken, $key, $value, $exptime = 0, $flags = 0)
	{
		$key = (string) $key;
		if ($this->isOver($exptime)) {
			return $this->swap($key, $casToken, $value, 1) && $this->doDelete($key);
		}
		$ttl = $this->getExpirationAsTTL($exptime);
		return self::isOfWan($key) && $this->isGuarded ? $this->store($key, fn (): bool => $this->guarded->set($key, $value, $ttl))
			: $this->swap($key, $casToken, $value, $ttl);
	}

	protected function doDelete($key, $flags = 0)
	{
		return $this->doDeleteMulti([$key]);
	}

	protected function doDeleteMulti(array $keys, $flags = 0)
	{
		return $this->write(fn (): bool => $this->viewOf(...$keys)->deleteMultiple($keys));
	}

	protected function doChangeTTL($key, $exptime, $flags)
	{
		$key = (string) $key;
		return $this->write(fn (): bool => $this->isOver($exptime) ? $this->viewOf($key)->forget($key)
			: $this->plain->touch($key, $this->getExpirationAsTTL($exptime)));
	}

	public function incr($key, $value = 1, $flags = 0)
	{
		return $this->count((string) $key, (int) $value);
	}

	public function decr($key, $value = 1, $flags = 0)
	{
		return $this->count((string) $key, -(int) $value);
	}

	protected function doIncrWithInitSync($key, $exptime, $step, $init)
	{
		return $this->isOver($exptime) ? $init : $this->count((string) $key, $step, $init - $step, $this->getExpirationAsTTL($exptime));
	}

	protected function doIncrWithInitAsync($key, $exptime, $step, $init)
	{
		return $this->doIncrWithInitSync($key, $exptime, $step, $init) !== false;
	}

	/** The lock is released when the request ends, however it ends. */
	protected function doLock($key, $timeout, $exptime)
	{
		$lock = new Lock($this->pool, $this->prefix . $key, ttl: $exptime);
		try {
			if (!$lock->acquire($timeout)) {
				return null;
			}
		} catch (ServerException $failure) {
			$this->fail($failure, self::ERR_UNREACHABLE);
			return null;
		}
		$this->held[$key] = $lock;
		return microtime(true);
	}

	/** Returns false for a lock that was held too long, which another request may hold by now. */
	protected function doUnlock($key)
	{
		$lock = $this->held[$key];
		unset($this->held[$key]);
		try {
			return $lock->release();
		} catch (ServerException $failure) {
			$this->fail($failure, self::ERR_UNREACHABLE);
			return false;
		}
	}

	public function setNewPreparedValues(array $valueByKey)
	{
		return $this->guessSerialSizeOfValues($valueByKey);
	}

	private static function isOfWan(string $key): bool
	{
		return preg_match(self::VALUE_OF_WAN, $key) === 1;
	}

	/** Returns the guarded cache if any of the keys belongs to a value of WANObjectCache. */
	private function viewOf(int|string ...$keys): Cache
	{
		return preg_grep(self::VALUE_OF_WAN, $keys) === [] ? $this->plain : $this->guarded;
	}

	/**
	 * A value whose own code throws, for example after an update, counts as missing. Each key then costs one round
	 * trip.
	 *
	 * @param array<int|string> $keys
	 * @return array<int|string, mixed> key => value or false
	 */
	private function read(Cache $view, array $keys): array
	{
		try {
			return $view->getMultiple($keys, false);
		} catch (\Throwable $refusal) {
			if (count($keys) > 1) {
				return array_replace(...array_map(fn (int|string $key) => $this->read($view, [$key]), array_values($keys)));
			}
			$this->logger->error($refusal->getMessage(), ['exception' => $refusal]);
			return array_fill_keys($keys, false);
		}
	}

	/** @param \Closure(): bool $write */
	private function write(\Closure $write): bool
	{
		try {
			$isDone = $write();
		} catch (UnstorableException $mistake) {
			$this->fail($mistake, self::ERR_UNEXPECTED);
			return false;
		}
		if (!$isDone) {
			$this->tellFailures();
		}
		return $isDone;
	}

	/** @param \Closure(): bool $write */
	private function store(string $key, \Closure $write): bool
	{
		$isStored = $this->write($write);
		if (!$isStored && self::isOfWan($key)) {
			$this->refused[$key] ??= $this->getCurrentTime();
		}
		return $isStored;
	}

	/**
	 * Ends the first read of a missing key in a long-running command, whose later computations are newer than a
	 * previous purge. This also deletes markers of other processes, so it is done only after the hold-off. Otherwise,
	 * readers could keep a key empty.
	 */
	private function lookAnew(int|string $key): void
	{
		if (isset($this->refused[$key]) && $this->getCurrentTime() - $this->refused[$key] > self::HOLDOFF && $this->guarded->delete((string) $key)) {
			unset($this->refused[$key]);
			$this->guarded->has((string) $key);
		}
	}

	/** Returns false if no value exists, or the value is no longer that of the token. */
	private function swap(string $key, mixed $token, mixed $value, int|float $ttl): bool
	{
		$conflict = new \RuntimeException();
		$change = fn (mixed $old): mixed => $old !== null && $this->tokensMatch($token, $old) ? $this->counted($value) : throw $conflict;
		try {
			$this->plain->update($key, $change, $ttl);
			return true;
		} catch (ServerException|UnstorableException $failure) {
			$this->fail($failure, $failure instanceof ServerException ? self::ERR_UNREACHABLE : self::ERR_UNEXPECTED);
			return false;
		} catch (\RuntimeException $thrown) {
			return $thrown === $conflict ? false : throw $thrown;
		}
	}

	/** Core's memcached classes also store such strings as numbers, which incr() can count. */
	private function counted(mixed $value): mixed
	{
		return $this->isInteger($value) ? (int) $value : $value;
	}

	/** Returns false if no number exists and no initial number is given. */
	private function count(string $key, int $by, ?int $initial = null, int|float $ttl = 0): int|false
	{
		try {
			$number = $this->plain->increment($key, $by, $initial, $ttl);
		} catch (StoredValueException $mistake) {
			$this->fail($mistake, self::ERR_UNEXPECTED);
			return false;
		}
		if ($number === false) {
			$this->tellFailures();
		}
		return $number;
	}

	private function isOver(int|float $exptime): bool
	{
		$end = $this->getExpirationAsTimestamp($exptime);
		return $end !== self::TTL_INDEFINITE && $end < $this->getCurrentTime();
	}

	/** Reports a server failure to core, which queries it after a miss or false. */
	private function tellFailures(): void
	{
		$before = $this->failures;
		if ($this->countFailures() > $before) {
			$this->setLastError(self::ERR_UNREACHABLE);
		}
	}

	private function countFailures(): int
	{
		return $this->failures = $this->plain->stats()['errors'] + $this->guarded->stats()['errors'];
	}

	private function fail(\Throwable $failure, int $kind): void
	{
		$this->logger->error($failure->getMessage(), ['exception' => $failure]);
		$this->setLastError($kind);
		if ($kind === self::ERR_UNREACHABLE) {
			$this->countFailures();
		}
	}
}
