<?php
/* Yii's cache component over a Cache. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Yii;

use McPatterns\Adapters\{Configured, Decoded, Remembered, Written};
use McPatterns\Adapters\Psr\Seconds;
use McPatterns\{Cache as Native, Pool, UnstorableException};
use Yii;
use yii\caching\{Dependency, TagDependency};

/**
 * A TagDependency becomes the extension's tags: an invalidation deletes all values of the tag at once. Other dependencies are
 * Yii's own. A server that is down is a miss, and false for writes.
 *
 * @property-read Native $native
 * @property-read Pool $pool
 */
final class Cache extends \yii\caching\Cache
{
	/** @var string|list<string>|null null: those of php.ini */
	public string|array|null $servers = null;
	/** @var array<string, mixed> the other parameters of Pool and Cache, by name */
	public array $options = [];

	private Configured $configured;
	/** Target of writes: with tags during a write that has them. */
	private Native $view;
	/** @var array<array-key, string> key of Yii's for a tag => tag, since the last call for many keys */
	private array $tagKeys = [];

	public function init(): void
	{
		parent::init();
		$settings = ['servers' => $this->servers] + $this->options;
		$log = function (string $message): void {
			Yii::warning($message, 'mcpatterns');
		};
		$this->configured = new Configured("The cache component's option", $settings, (string) $this->keyPrefix, 'yii:', $log);
		$this->view = $this->configured->cache;
	}

	/** For the methods that Yii's interface does not have. */
	public function getNative(): Native
	{
		return $this->configured->cache;
	}

	public function getPool(): Pool
	{
		return $this->configured->pool;
	}

	/** Without $keyPrefix, which is the Pool's. */
	public function buildKey($key): string
	{
		$built = substr(parent::buildKey($key), strlen((string) $this->keyPrefix));
		if (is_array($key) && ($key[0] ?? null) === TagDependency::class && array_key_exists(1, $key)) {
			$this->tagKeys[$built] = self::tag($key[1]);
		}
		return $built;
	}

	/**
	 * @param array<array-key> $keys
	 * @return array<array-key, mixed>
	 */
	public function multiGet($keys): array
	{
		$this->tagKeys = [];
		return parent::multiGet($keys);
	}

	public function set($key, $value, $duration = null, $dependency = null): bool
	{
		return $this->write($dependency, fn (?Dependency $other): bool => parent::set($key, $value, $duration, $other));
	}

	public function add($key, $value, $duration = 0, $dependency = null): bool
	{
		return $this->write($dependency, fn (?Dependency $other): bool => parent::add($key, $value, $duration, $other));
	}

	/**
	 * TagDependency::invalidate() writes the times of its tags by this, having asked for their keys.
	 *
	 * @param array<array-key, mixed> $items
	 * @return array<mixed> keys that were not stored
	 */
	public function multiSet($items, $duration = null, $dependency = null): array
	{
		$tags = array_values(array_intersect_key($this->tagKeys, $items));
		$this->tagKeys = [];
		foreach (array_chunk($tags, 255) as $some) {
			$this->native->deleteTags($some);
		}
		return $this->write($dependency, fn (?Dependency $other): array => parent::multiSet($items, $duration, $other));
	}

	/**
	 * @param array<array-key, mixed> $items
	 * @return array<mixed> keys that were not stored
	 */
	public function multiAdd($items, $duration = 0, $dependency = null): array
	{
		return $this->write($dependency, fn (?Dependency $other): array => parent::multiAdd($items, $duration, $other));
	}

	/** One process of all computes, and the others wait for its value. With another dependency than tags, each computes. */
	public function getOrSet($key, $callable, $duration = null, $dependency = null): mixed
	{
		$tags = self::tagsOf($dependency);
		if ($dependency !== null && $tags === []) {
			return parent::getOrSet($key, $callable, $duration, $dependency);
		}
		$view = $tags === [] ? $this->native : $this->native->tagged($tags);
		$computed = null;
		$compute = function () use ($callable, &$computed): mixed {
			$computed = [$callable($this)];
			return $this->packed($computed[0]);
		};
		$value = function (mixed $stored) use (&$computed): mixed {
			return $computed === null ? $this->unpacked($stored) : $computed[0];
		};
		$stored = Remembered::by($view, $this->buildKey($key), max(0, $duration ?? $this->defaultDuration), $compute, fn (mixed $stored): bool => $value($stored) === false);
		return $value($stored);
	}

	protected function getValue($key): mixed
	{
		return Decoded::one(fn (): mixed => $this->native->get((string) $key, false), false);
	}

	/**
	 * @param array<array-key> $keys
	 * @return array<array-key, mixed> without those that miss
	 */
	protected function getValues($keys): array
	{
		$values = Decoded::many($this->native, array_map(strval(...), array_values($keys)), false);
		return array_filter($values, fn (mixed $value): bool => $value !== false);
	}

	protected function setValue($key, $value, $duration): bool
	{
		return Written::by($this->native, fn (): bool => $this->view->set((string) $key, $value, self::ttl($duration)));
	}

	/**
	 * @param array<array-key, mixed> $data
	 * @return list<array-key> all keys, if one was not stored
	 */
	protected function setValues($data, $duration): array
	{
		return Written::by($this->native, fn (): bool => $this->view->setMultiple($data, self::ttl($duration))) ? [] : array_keys($data);
	}

	protected function addValue($key, $value, $duration): bool
	{
		try {
			return $this->view->add((string) $key, $value, self::ttl($duration));
		} catch (UnstorableException) {
			return false;
		}
	}

	protected function deleteValue($key): bool
	{
		return $this->native->forget((string) $key);
	}

	/** Everything under $keyPrefix, and nothing else on the servers. */
	protected function flushValues(): bool
	{
		return $this->native->clear();
	}

	/**
	 * @template T
	 * @param \Closure(?Dependency): T $write given a dependency that is Yii's matter
	 * @return T
	 */
	private function write(?Dependency $dependency, \Closure $write): mixed
	{
		$tags = self::tagsOf($dependency);
		if ($tags === []) {
			return $write($dependency);
		}
		$this->view = $this->native->tagged($tags);
		try {
			return $write(null);
		} finally {
			$this->view = $this->native;
		}
	}

	/** @return list<string> none for another class, also one that extends TagDependency */
	private static function tagsOf(?Dependency $dependency): array
	{
		$tags = $dependency !== null && $dependency::class === TagDependency::class ? (array) $dependency->tags : [];
		return array_values(array_unique(array_map(self::tag(...), $tags)));
	}

	private function packed(mixed $value): mixed
	{
		if ($this->serializer === false) {
			return $value;
		}
		$pack = $this->serializer[0] ?? 'serialize';
		assert(is_callable($pack));
		return $pack([$value, null]);
	}

	/** As get() does. */
	private function unpacked(mixed $stored): mixed
	{
		if ($this->serializer === false) {
			return $stored;
		}
		$unpack = $this->serializer[1] ?? 'unserialize';
		assert(is_callable($unpack));
		$pair = $unpack($stored);
		return is_array($pair) && !($pair[1] instanceof Dependency && $pair[1]->isChanged($this)) ? $pair[0] : false;
	}

	/** As long as Cache takes them. */
	private static function tag(mixed $name): string
	{
		$tag = is_scalar($name) ? (string) $name : serialize($name);
		return strlen($tag) <= 250 && $tag !== '' && $tag[0] !== "\0" ? $tag : 'tag:' . hash('sha256', $tag);
	}

	/** A negative one is no end, as in Yii's own. */
	private static function ttl(mixed $duration): \DateInterval|int|float
	{
		return Seconds::ttl(max(0, is_numeric($duration) ? (int) $duration : 0));
	}
}
