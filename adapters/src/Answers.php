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
		if (self::isOf($thrown, ['CodeIgniter\Exceptions\HTTPExceptionInterface'])) {
			return $thrown->getCode() < 500;
		}
		if (self::isOf($thrown, ['yii\web\HttpException'])) {
			return get_object_vars($thrown)['statusCode'] < 500;
		}
		return self::isOf($thrown, self::CLASSES);
	}

	/** @param list<string> $classes */
	private static function isOf(\Throwable $thrown, array $classes): bool
	{
		return array_filter($classes, fn (string $class): bool => is_a($thrown, $class)) !== [];
	}
}
