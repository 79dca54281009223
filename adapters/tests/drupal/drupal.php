<?php
/* The interfaces of Drupal 10 and 11 that adapters/src/Drupal has, and what it calls, as far as it comes to run here: Drupal's core is
 * in no registry that bin/test asks. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace Drupal\Component\Assertion {
	final class Inspector
	{
		public static function assertAllStrings(mixed $all): bool
		{
			return is_array($all) && array_filter($all, is_string(...)) === $all;
		}
	}
}

namespace Drupal\Component\Datetime {
	interface TimeInterface
	{
		/** @return int */
		public function getRequestTime();

		/** @return float */
		public function getRequestMicroTime();

		/** @return int */
		public function getCurrentTime();

		/** @return float */
		public function getCurrentMicroTime();
	}
}

namespace Drupal\Core\Site {
	final class Settings
	{
		/** @var array<string, mixed> */
		private static array $settings = [];

		/** @param array<string, mixed> $settings */
		public function __construct(array $settings)
		{
			self::$settings = $settings;
		}

		public static function get(string $name, mixed $default = null): mixed
		{
			return self::$settings[$name] ?? $default;
		}

		public static function getHashSalt(): string
		{
			$salt = self::$settings['hash_salt'] ?? '';
			return is_string($salt) && $salt !== '' ? $salt : throw new \RuntimeException('Missing $settings[\'hash_salt\'] in settings.php.');
		}
	}
}

namespace Drupal\Core\Cache {
	interface CacheBackendInterface
	{
		public const CACHE_PERMANENT = -1;

		/**
		 * @param string $cid
		 * @param bool $allow_invalid
		 * @return object|false
		 */
		public function get($cid, $allow_invalid = false);

		/**
		 * @param array<array-key, string|int> $cids
		 * @param bool $allow_invalid
		 * @return array<array-key, object>
		 */
		public function getMultiple(&$cids, $allow_invalid = false);

		/**
		 * @param string $cid
		 * @param mixed $data
		 * @param int $expire
		 * @param array<string> $tags
		 * @return void
		 */
		public function set($cid, $data, $expire = self::CACHE_PERMANENT, array $tags = []);

		/**
		 * @param array<array-key, array{data: mixed, expire?: int, tags?: array<string>}> $items
		 * @return void
		 */
		public function setMultiple(array $items);

		/**
		 * @param string $cid
		 * @return void
		 */
		public function delete($cid);

		/**
		 * @param array<array-key, string|int> $cids
		 * @return void
		 */
		public function deleteMultiple(array $cids);

		/** @return void */
		public function deleteAll();

		/**
		 * @param string $cid
		 * @return void
		 */
		public function invalidate($cid);

		/**
		 * @param array<array-key, string|int> $cids
		 * @return void
		 */
		public function invalidateMultiple(array $cids);

		/** @return void */
		public function invalidateAll();

		/** @return void */
		public function garbageCollection();

		/** @return void */
		public function removeBin();
	}

	interface CacheFactoryInterface
	{
		/**
		 * @param string $bin
		 * @return CacheBackendInterface
		 */
		public function get($bin);
	}

	interface CacheTagsChecksumInterface
	{
		public const INVALID_CHECKSUM_WHILE_IN_TRANSACTION = -1;

		/**
		 * @param array<string> $tags
		 * @return string|int
		 */
		public function getCurrentChecksum(array $tags);

		/**
		 * @param int|string $checksum
		 * @param array<string> $tags
		 * @return bool
		 */
		public function isValid($checksum, array $tags);

		/** @return void */
		public function reset();
	}

	interface CacheTagsChecksumPreloadInterface
	{
		/** @param array<string> $cache_tags */
		public function registerCacheTagsForPreload(array $cache_tags): void;
	}
}

namespace Drupal\Core\Lock {
	interface LockBackendInterface
	{
		/**
		 * @param string $name
		 * @param float $timeout
		 * @return bool
		 */
		public function acquire($name, $timeout = 30.0);

		/**
		 * @param string $name
		 * @return bool
		 */
		public function lockMayBeAvailable($name);

		/**
		 * @param string $name
		 * @param int $delay
		 * @return bool
		 */
		public function wait($name, $delay = 30);

		/**
		 * @param string $name
		 * @return void
		 */
		public function release($name);

		/**
		 * @param ?string $lockId
		 * @return void
		 */
		public function releaseAll($lockId = null);

		/** @return string */
		public function getLockId();
	}

	/** Asks until the lock is free, as Drupal's does with growing pauses. */
	abstract class LockBackendAbstract implements LockBackendInterface
	{
		/** @var string */
		protected $lockId;

		/** @var array<string, mixed> */
		protected $locks = [];

		public function wait($name, $delay = 30)
		{
			for ($end = microtime(true) + $delay; microtime(true) < $end; usleep(25_000)) {
				if ($this->lockMayBeAvailable($name)) {
					return false;
				}
			}
			return true;
		}

		public function getLockId()
		{
			return $this->lockId ??= uniqid((string) mt_rand(), true);
		}
	}
}

namespace Drupal\Core\Flood {
	interface FloodInterface
	{
		/**
		 * @param string $name
		 * @param int $window
		 * @param ?string $identifier
		 * @return void
		 */
		public function register($name, $window = 3600, $identifier = null);

		/**
		 * @param string $name
		 * @param ?string $identifier
		 * @return void
		 */
		public function clear($name, $identifier = null);

		/**
		 * @param string $name
		 * @param int $threshold
		 * @param int $window
		 * @param ?string $identifier
		 * @return bool
		 */
		public function isAllowed($name, $threshold, $window = 3600, $identifier = null);

		/** @return void */
		public function garbageCollection();
	}

	interface PrefixFloodInterface
	{
		public function clearByPrefix(string $name, string $prefix): void;
	}
}
