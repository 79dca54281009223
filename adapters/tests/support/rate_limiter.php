<?php
/* The two interfaces of symfony/rate-limiter that its storages see, for where Composer cannot have the package. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace Symfony\Component\RateLimiter {
	if (!interface_exists(LimiterStateInterface::class)) {
		interface LimiterStateInterface
		{
			public function getId(): string;

			public function getExpirationTime(): ?int;
		}
	}
}

namespace Symfony\Component\RateLimiter\Storage {
	use Symfony\Component\RateLimiter\LimiterStateInterface;

	if (!interface_exists(StorageInterface::class)) {
		interface StorageInterface
		{
			public function save(LimiterStateInterface $limiterState): void;

			public function fetch(string $limiterStateId): ?LimiterStateInterface;

			public function delete(string $limiterStateId): void;
		}
	}
}
