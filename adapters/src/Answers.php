<?php
/* Exceptions that are an application's response, not a failure. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

/** @internal */
final class Answers
{
	/** By name, as their packages need not be there: what Laravel answers with a status below 500. */
	private const CLASSES = [
		'Illuminate\Auth\Access\AuthorizationException',
		'Illuminate\Auth\AuthenticationException',
		'Illuminate\Database\RecordNotFoundException',
		'Illuminate\Database\RecordsNotFoundException',
		'Illuminate\Validation\ValidationException',
	];

	/** Returns whether the exception must not pause rebuilds, because each caller's computation may throw it. */
	public static function isOne(\Throwable $thrown): bool
	{
		if (is_a($thrown, 'Symfony\Component\HttpKernel\Exception\HttpExceptionInterface')) {
			return $thrown->getStatusCode() < 500;
		}
		return array_filter(self::CLASSES, fn (string $class): bool => is_a($thrown, $class)) !== [];
	}
}
