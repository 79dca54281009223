<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Drupal;

use Drupal\Component\Datetime\TimeInterface;
use Drupal\Core\Flood\{FloodInterface, PrefixFloodInterface};
use McPatterns\{Cache, Key, Pool, ServerException};
use Symfony\Component\HttpFoundation\RequestStack;

/**
 * The service flood. The events of a name and an identifier are one value, which changes atomically: at which second how many
 * happened, and when they expire. So any threshold and any window count exactly, as in Drupal's own.
 *
 * A server that is down is an exception: otherwise an attacker would be admitted.
 *
 * @phpstan-type Events array<string, array{int, int, int}>
 */
final class FloodBackend implements FloodInterface, PrefixFloodInterface
{
    private const MOST_TAGS = 255;

    private readonly Cache $cache;

    public function __construct(Pool $pool, private readonly RequestStack $requests, private readonly TimeInterface $time)
    {
        $this->cache = new Cache($pool, 'flood:', grace: 0);
    }

    /**
     * @param string $name
     * @param int $window
     * @param ?string $identifier
     */
    public function register($name, $window = 3600, $identifier = null): void
    {
        if ($window <= 0) {
            return;
        }
        $identifier ??= $this->visitor();
        $now = $this->time->getRequestTime();
        $expiration = $now + $window;
        $values = $this->values($name, $identifier);
        $last = $expiration;
        $values->update(Key::of($name, $identifier), function (mixed $events) use ($now, $expiration, &$last): array {
            /** @var Events $events time, expiration and number, by the first two */
            $events = array_filter(self::events($events), fn (array $event): bool => $event[1] >= $now);
            $events["$now $expiration"] = [$now, $expiration, ($events["$now $expiration"][2] ?? 0) + 1];
            $last = max(array_column($events, 1));
            return $events;
        }, $window + 1);
        if ($last > $expiration) {
            $values->touch(Key::of($name, $identifier), $last - $now + 1);
        }
    }

    /**
     * @param string $name
     * @param ?string $identifier
     */
    public function clear($name, $identifier = null): void
    {
        $this->cache->delete(Key::of($name, $identifier ?? $this->visitor()));
    }

    /** One round trip per server, however many identifiers begin so. */
    public function clearByPrefix(string $name, string $prefix): void
    {
        $this->cache->deleteTags(Key::of('flood', $name, $prefix));
    }

    /**
     * @param string $name
     * @param int $threshold
     * @param int $window
     * @param ?string $identifier
     */
    public function isAllowed($name, $threshold, $window = 3600, $identifier = null): bool
    {
        $identifier ??= $this->visitor();
        $now = $this->time->getRequestTime();
        $errors = $this->cache->stats()['errors'];
        $events = $this->values($name, $identifier)->peek(Key::of($name, $identifier));
        if ($this->cache->stats()['errors'] > $errors) {
            throw new ServerException("the events of \"$name\" could not be counted: the server did not reply");
        }
        $count = 0;
        foreach (self::events($events) as [$time, $expiration, $number]) {
            $count += $time > $now - $window && $expiration >= $now ? $number : 0;
        }
        return $count < $threshold;
    }

    /** Events expire by themselves. */
    public function garbageCollection(): void
    {
    }

    /** With a tag for each beginning of the identifier that clearByPrefix() can name. */
    private function values(string $name, string $identifier): Cache
    {
        $parts = explode('-', $identifier, self::MOST_TAGS + 1);
        $tags = [];
        for ($length = 1; $length < count($parts); $length++) {
            $tags[] = Key::of('flood', $name, implode('-', array_slice($parts, 0, $length)));
        }
        return $tags === [] ? $this->cache : $this->cache->tagged($tags);
    }

    /** @return Events */
    private static function events(mixed $stored): array
    {
        /** @var Events */
        return is_array($stored) ? $stored : [];
    }

    private function visitor(): string
    {
        return (string) $this->requests->getCurrentRequest()?->getClientIp();
    }
}
