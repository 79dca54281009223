<?php
/* Reads the stubs in src/php: which classes, methods, properties and cases there are, and what is said of each. For the tools that
 * write pages of them. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

/** A sentence for whoever runs the tool; nothing is wrong with the program. */
final class Complaint extends \RuntimeException
{
}

/** What is code in a stub's sentence: $variables, calls, constants of ours. */
const CODE = '~`[^`]*`
	|(?:fn|\$\w+)\([^()]*\)(?::\ [\w|]+)?
	|\$\w+
	|\b[\w:]+\(\)
	|\b(?:Status|Refresh|Distribution|Serializer|Compression|Transport)::\w+
	|\b[a-zA-Z]+:\ (?:true|false|INF)\b
	|\'[^\' ]+\'
	|\b(?:null|true|false|INF|FALSE|TRUE)\b~x';

function marked(string $text): string
{
	$marked = preg_replace_callback(CODE, fn (array $found) => $found[0][0] === '`' ? $found[0] : "`$found[0]`", $text);
	$parts = preg_split('/(`[^`]*`)/', $marked, flags: PREG_SPLIT_DELIM_CAPTURE);
	foreach ($parts as $number => $part) {
		$parts[$number] = $number % 2 === 1 ? $part : str_replace(['<', '*'], ['&lt;', '\*'], $part);
	}
	return implode('', $parts);
}

/** The paragraphs of a comment, without its tags. @param list<string> $lines */
function paragraphs(array $lines): string
{
	$text = preg_replace('~^\s*/?\*+/?[ ]?|\s*\*/$~m', '', implode("\n", $lines));
	$text = preg_replace('/^@.*$/m', '', $text);
	$paragraphs = array_filter(array_map('trim', preg_split('/\n\s*\n/', $text)));
	return implode("\n\n", array_map(fn (string $one) => marked(preg_replace('/\s+/', ' ', $one)), $paragraphs));
}

/** @return list<array{kind: string, name: string, signature: string, text: string, types: array<string, string>}> classes,
 *  methods, properties and cases in the stub's order; the types are those that PHP cannot say, by parameter ("$key") or "return" */
function declarations(string $stub): array
{
	$found = [];
	$comment = $signature = [];
	$is_comment = $is_signature = false;
	foreach (explode("\n", $stub) as $line) {
		$is_comment = $is_comment || (!$is_signature && preg_match('~^\s*/\*\*~', $line));
		if ($is_comment) {
			$comment = preg_match('~^\s*/\*\*~', $line) ? [$line] : [...$comment, $line];
			$is_comment = !str_contains($line, '*/');
			continue;
		}
		$begins = preg_match('/^(\s*)(?:(?:final|public|static|abstract|readonly) )*(class|interface|enum|function|case)? ?\S/', $line);
		if (!$is_signature && (!$begins || preg_match('/^\s*$|^<\?php|^namespace |^[{}]|private function|^\s*[{}]/', $line))) {
			continue;
		}
		$signature[] = $line;
		$is_signature = !preg_match('/(?:\{\}|;)$/', $line) && !preg_match('/^(?:final )?(?:class|interface|enum) /', $line);
		if (!$is_signature) {
			$found[] = declaration(implode("\n", $signature), $comment);
			$comment = $signature = [];
		}
	}
	return $found;
}

/** @param list<string> $comment
 * @return array<string, string> */
function types(array $comment): array
{
	$types = [];
	preg_match_all('~^\s*\* @phpstan-(param|return) (.+?)(?: (\$\w+))?\s*$~m', implode("\n", $comment), $tags, PREG_SET_ORDER);
	foreach ($tags as $tag) {
		$types[$tag[3] ?? $tag[1]] = $tag[2];
	}
	return $types;
}

/** @param list<string> $comment */
function declaration(string $signature, array $comment): array
{
	$signature = preg_replace('/^    /m', '', preg_replace('/ ?\{\}$|;$/', '', trim($signature)));
	$signature = preg_replace('/^public /', '', $signature);
	if (!preg_match('/(?<kind>class|interface|enum|function|case) (?<name>\w+)|(?<property>\$\w+)(?: = \S+)?$/', $signature, $found)) {
		throw new Complaint("no declaration: $signature");
	}
	return ['kind' => $found['kind'] ?: 'property', 'name' => $found['name'] ?: $found['property'], 'signature' => $signature,
		'text' => paragraphs($comment), 'types' => types($comment)];
}

/** @return array<string, string> the stubs: "cache" => src/php/cache/class_cache.stub.php */
function stub_files(): array
{
	$files = [];
	foreach (glob('src/php/{,*/,*/*/}*.stub.php', GLOB_BRACE) as $file) {
		$files[preg_replace('/^class_|\.stub\.php$/', '', basename($file))] = $file;
	}
	return $files;
}

function folded(string $signature): string
{
	if (strlen($signature) <= 120 || str_contains($signature, "\n") || !str_contains($signature, '(')) {
		return $signature;
	}
	[$head, $rest] = explode('(', $signature, 2);
	$end = strrpos($rest, ')');
	return "$head(\n    " . str_replace(', ', ",\n    ", substr($rest, 0, $end)) . ",\n" . substr($rest, $end);
}

function heading(string $class, string $method): string
{
	return $method === '__construct' ? "new $class()" : "$class::$method()";
}

/** As GitHub makes it of a heading. */
function anchor_of(string $heading): string
{
	return strtolower(str_replace([' ', ':', '(', ')'], ['-'], $heading));
}

function link_to(string $text, string $heading): string
{
	return "[$text](#" . anchor_of($heading) . ')';
}
