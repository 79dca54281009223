<?php
/* What servers fail of, each failure once: what is refused while a server is left alone after it is no news. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Pool;

/** @internal */
final class Outages
{
	private const NO_REASON = 'no server failed';

	/** @var array<string, float> address => when it failed of what was told last */
	private static array $told = [];

	public function __construct(private readonly Pool $pool)
	{
	}

	/** What servers failed of since this was asked last, or since the request began: before that, another one was told. Null: nothing new. */
	public function news(): ?string
	{
		$errors = array_filter($this->pool->lastErrors());
		$news = [];
		foreach ($errors as $server => ['message' => $message, 'at' => $at]) {
			if ($at > (self::$told[$server] ?? self::begun())) {
				self::$told[$server] = $at;
				$news[] = "$server: $message";
			}
		}
		return $errors === [] ? self::NO_REASON : (implode('; ', $news) ?: null);
	}

	/** To the millisecond, as what lastErrors() tells. */
	private static function begun(): float
	{
		$begun = $_SERVER['REQUEST_TIME_FLOAT'] ?? null;
		return is_float($begun) ? $begun - 0.001 : 0.0;
	}
}
