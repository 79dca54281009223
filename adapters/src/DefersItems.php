<?php
/* PSR-6's deferred items: stored by commit(), by a read of their key, or when their pool is destroyed. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use Psr\Cache\CacheItemInterface;

/**
 * @internal
 *
 * @template TItem of CacheItemInterface
 */
trait DefersItems
{
	/** @var array<array-key, TItem> */
	private array $deferred = [];

	public function __destruct()
	{
		$this->commit();
	}

	/** An exception for one item is thrown after all others are stored. */
	public function commit(): bool
	{
		$items = $this->deferred;
		$this->deferred = [];
		$areStored = true;
		$mistake = null;
		foreach ($items as $item) {
			try {
				$areStored = $this->store($item) && $areStored;
			} catch (\Throwable $thrown) {
				$mistake ??= $thrown;
			}
		}
		return $mistake === null ? $areStored : throw $mistake;
	}

	/** @param TItem $item */
	abstract private function store(CacheItemInterface $item): bool;

	/** @param TItem $item */
	private function defer(CacheItemInterface $item): void
	{
		$this->deferred[$item->getKey()] = clone $item;
	}

	/** @param list<string> $keys */
	private function undefer(array $keys): void
	{
		$this->deferred === [] || $this->deferred = array_diff_key($this->deferred, array_flip($keys));
	}

	/** @param list<string> $keys */
	private function commitAny(array $keys): void
	{
		if ($this->deferred !== [] && array_intersect_key($this->deferred, array_flip($keys)) !== []) {
			$this->commit();
		}
	}
}
