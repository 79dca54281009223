<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use Closure;

/**
 * What servers fail of, each failure once: what is refused while a server is left alone after it is no news.
 *
 * @internal
 */
final class Outages
{
    /** @var array<string, float> address => when it failed of what was told last */
    private static array $told = [];

    /** Whether nobody was told yet that this server failed at that time. What failed before the request began, another one has told. */
    public static function isNews(string $server, float $at): bool
    {
        if ($at <= (self::$told[$server] ?? self::begun())) {
            return false;
        }
        self::$told[$server] = $at;
        return true;
    }

    /**
     * Of what Pool::onError() tells: each failure of a server once, and all else.
     *
     * @param Closure(string, array<mixed>): void $log
     * @param array{kind: string, server: string, at: float, ...} $context
     */
    public static function tell(Closure $log, string $message, array $context): void
    {
        if ($context['kind'] !== 'server' || self::isNews($context['server'], $context['at'])) {
            $log($message, $context);
        }
    }

    /** To the millisecond, as what a Pool tells. */
    private static function begun(): float
    {
        $begun = $_SERVER['REQUEST_TIME_FLOAT'] ?? null;
        return is_float($begun) ? $begun - 0.001 : 0.0;
    }
}
