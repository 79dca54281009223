<?php
/* An item of a CachePool: a key, the value that was found, and the value and TTL to store. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Psr;

use McPatterns\Clock;
use Psr\Cache\CacheItemInterface;

final class CacheItem implements CacheItemInterface
{
	/** Unix time; null: the pool's own TTL. */
	private ?float $end = null;

	/** @internal */
	public function __construct(private readonly string $key, private mixed $value, private readonly bool $isHit)
	{
	}

	public function getKey(): string
	{
		return $this->key;
	}

	public function get(): mixed
	{
		return $this->value;
	}

	public function isHit(): bool
	{
		return $this->isHit;
	}

	public function set(mixed $value): static
	{
		$this->value = $value;
		return $this;
	}

	public function expiresAt(?\DateTimeInterface $expiration): static
	{
		$this->end = $expiration === null ? null : (float) $expiration->format('U.u');
		return $this;
	}

	public function expiresAfter(\DateInterval|int|null $time): static
	{
		$this->end = $time === null ? null : Clock::now() + Seconds::of($time);
		return $this;
	}

	/**
	 * Seconds from now, not positive if the item has expired; null: the pool's own TTL.
	 *
	 * @internal
	 */
	public function remaining(): ?float
	{
		return $this->end === null ? null : Seconds::until($this->end, Clock::now());
	}
}
