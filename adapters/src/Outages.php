<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use Closure;

/**
 * Reports each failure of a server once. Calls that are refused while the server is skipped are not reported again.
 *
 * @internal
 */
final class Outages
{
    /** @var array<string, float> address => time of the failure that was reported last */
    private static array $told = [];

    /** Returns whether this failure of the server was not reported yet. Another request has reported failures from before this request began. */
    public static function isNews(string $server, float $at): bool
    {
        if ($at <= (self::$told[$server] ?? self::begun())) {
            return false;
        }
        self::$told[$server] = $at;
        return true;
    }

    /**
     * Filters the reports of Pool::onError(): each failure of a server once, and all other failures.
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

    /** To the millisecond, like the times that a Pool reports. */
    private static function begun(): float
    {
        $begun = $_SERVER['REQUEST_TIME_FLOAT'] ?? null;
        return is_float($begun) ? $begun - 0.001 : 0.0;
    }
}
