<?php
/* What Symfony's packages use of PHP 8.5, for where Composer cannot have their polyfill. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

if (!function_exists('get_error_handler')) {
	function get_error_handler(): ?callable
	{
		$handler = set_error_handler(null);
		restore_error_handler();
		return $handler;
	}
}
if (!function_exists('get_exception_handler')) {
	function get_exception_handler(): ?callable
	{
		$handler = set_exception_handler(null);
		restore_exception_handler();
		return $handler;
	}
}
