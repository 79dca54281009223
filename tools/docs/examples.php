<?php
/* The examples of the reference: examples/methods has a page for each class, on it a section for methods ("## acquire(), release()"),
 * in it a block of PHP that calls them, and what that prints. Tests run them all. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

/** The examples by "Lock::acquire". @return array<string, array{code: string, prints: string, file: string}> */
function examples_by_method(string $root = '.'): array
{
	$examples = [];
	foreach (glob("$root/examples/methods/*.md") as $file) {
		$page = file_get_contents($file);
		if (!preg_match('/^# (\w+)$/m', $page, $class)) {
			throw new Complaint("$file does not begin with its class, as \"# Lock\"");
		}
		preg_match_all('/^## (?<methods>[^\n]+)\n+```php\n(?<code>.*?)^```\n(?:\n```text\n(?<prints>.*?)^```\n)?/ms', $page, $found, PREG_SET_ORDER);
		if (count($found) !== preg_match_all('/^## /m', $page)) {
			throw new Complaint("$file has a section that is not one heading, one block of php, and maybe one of text");
		}
		foreach ($found as $one) {
			foreach (explode(', ', strtr($one['methods'], ['new' => '__construct', '()' => ''])) as $method) {
				$name = "$class[1]::$method";
				if (isset($examples[$name])) {
					throw new Complaint("$file has two examples of $name()");
				}
				if (!preg_match($method === '__construct' ? "/\\bnew $class[1]\\(/" : "/(?:->|::)$method\\(/", $one['code'])) {
					throw new Complaint("$file: the example of $name() does not call it");
				}
				$examples[$name] = ['code' => $one['code'], 'prints' => $one['prints'] ?? '', 'file' => $file];
			}
		}
	}
	return $examples;
}
