<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Laravel;

use Closure;

/** What Laravel 13 asks of a repository besides remember(). */
trait RemembersWithWarmth
{
    /**
     * The value of remember(), and whether it was there.
     *
     * @param \UnitEnum|string $key
     * @param Closure|\DateTimeInterface|\DateInterval|int|null $ttl
     * @return array{mixed, bool}
     */
    public function rememberWithWarmth($key, $ttl, Closure $callback): array
    {
        $isWarm = true;
        $value = $this->remember($key, $ttl, function () use ($callback, &$isWarm): mixed {
            $isWarm = false;
            return $callback();
        });
        return [$value, $isWarm];
    }
}
