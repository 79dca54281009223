<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\OpenTelemetry;

use McPatterns\Pool;

/**
 * With which Pool, and which prefix or name, an object was created.
 *
 * @internal
 */
final class Origin
{
    public function __construct(private readonly Pool $pool, public readonly string $name)
    {
    }

    /**
     * The server of a key, or the only one.
     *
     * @return array<non-empty-string, string|int> server.address and server.port
     */
    public function address(?string $key): array
    {
        $server = match (true) {
            $key !== null && $this->name . $key !== '' => $this->pool->serverFor($this->name . $key),
            count($servers = $this->pool->servers()) === 1 => $servers[0]['port'] === 0 ? $servers[0]['host'] : "{$servers[0]['host']}:{$servers[0]['port']}",
            default => null,
        };
        return $server === null ? [] : Meter::address($server);
    }

    /** Why the server failed last; null if it is not known. */
    public function failure(): ?string
    {
        $last = null;
        foreach ($this->pool->lastErrors() as $error) {
            $last = $error !== null && $error['at'] > ($last['at'] ?? 0) ? $error : $last;
        }
        return $last['message'] ?? null;
    }
}
