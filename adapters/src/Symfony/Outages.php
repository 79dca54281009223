<?php
/* Logs failures of servers. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Symfony;

use McPatterns\Adapters\Outages as Told;
use McPatterns\Pool;

/** @internal */
final class Outages
{
	private const NO_REASON = 'no server failed';

	public function __construct(private readonly Pool $pool)
	{
	}

	/** What servers failed of since this was asked last, or since the request began: before that, another one was told. Null: nothing new. */
	public function news(): ?string
	{
		$errors = array_filter($this->pool->lastErrors());
		$news = [];
		foreach ($errors as $server => ['message' => $message, 'at' => $at]) {
			if (Told::isNews($server, $at)) {
				$news[] = "$server: $message";
			}
		}
		return $errors === [] ? self::NO_REASON : (implode('; ', $news) ?: null);
	}
}
