<?php
/* The examples of the reference: examples/methods has a page for each class, on it a section for methods ("## acquire(), release()"),
 * in it a block of PHP that calls them, and what that prints. Tests run them all. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

/** @return list<array{class: string, methods: list<string>, code: string, prints: string, file: string}> of all classes */
function method_examples(string $root = '.'): array
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
			$methods = explode(', ', strtr($one['methods'], ['new' => '__construct', '()' => '']));
			$examples[] = ['class' => $class[1], 'methods' => $methods, 'code' => $one['code'], 'prints' => $one['prints'] ?? '', 'file' => $file];
		}
	}
	return $examples;
}

/** Says whether the code calls the method, or makes an object by it. */
function calls(string $code, string $class, string $method): bool
{
	return preg_match($method === '__construct' ? "/\\bnew $class\\(/" : "/(?:->|::)$method\\(/", $code) === 1;
}

/** The examples by "Lock::acquire". @return array<string, array> */
function examples_by_method(string $root = '.'): array
{
	$by_method = [];
	foreach (method_examples($root) as $example) {
		foreach ($example['methods'] as $method) {
			$name = "$example[class]::$method";
			if (isset($by_method[$name])) {
				throw new Complaint("$example[file] has two examples of $name()");
			}
			if (!calls($example['code'], $example['class'], $method)) {
				throw new Complaint("$example[file]: the example of $name() does not call it");
			}
			$by_method[$name] = $example;
		}
	}
	return $by_method;
}
