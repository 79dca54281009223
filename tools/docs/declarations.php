<?php
/* Reads the stubs in src/php: which classes, methods, properties and cases there are, and what is said of each. For the tools that
 * write pages of them. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

/** What is code in a stub's sentence: $variables, calls, constants of ours. */
const CODE = '~`[^`]*`
	|(?:fn|\$\w+)\([^()]*\)(?::\ [\w|]+)?
	|\$\w+
	|\b[\w:]+\(\)
	|\b(?:Null|True|False|null(?=:))\b
	|\b(?:Status|Refresh|Distribution|Serializer|Compression|Transport)::\w+
	|\b[a-zA-Z]+:\ (?:true|false|INF)\b
	|\'[^\' ]+\'
	|\b(?:null|true|false|INF|FALSE|TRUE)\b~x';

function marked(string $text): string
{
	$marked = preg_replace_callback(CODE, fn (array $found) => match (true) {
		$found[0][0] === '`' => $found[0],
		in_array($found[0], ['Null', 'True', 'False'], true) => '`' . lcfirst($found[0]) . '`',
		default => "`$found[0]`",
	}, $text);
	$parts = preg_split('/(`[^`]*`)/', $marked, flags: PREG_SPLIT_DELIM_CAPTURE);
	foreach ($parts as $number => $part) {
		$parts[$number] = $number % 2 === 1 ? $part : str_replace(['<', '*'], ['&lt;', '\*'], $part);
	}
	return implode('', $parts);
}

/** Text of a link to a page: "tags" for a guide, "tags rules" for a page of the specification. */
function page_name(string $folder, string $name): string
{
	return $folder === 'spec' && $name !== 'cost' ? "$name rules" : strtr($name, '-', ' ');
}

/** Splits a comment into the lines of its text and its tags, each as one line. A tag ends at the next one or at an empty line.
 * @param list<string> $lines
 * @return array{list<string>, list<string>} */
function text_and_tags(array $lines): array
{
	$text = $tags = [];
	$is_tag = false;
	foreach ($lines as $line) {
		$line = trim(preg_replace('~^\s*/?\*+/?|\*/\s*$~', '', $line));
		$begins = str_starts_with($line, '@');
		$is_tag = $begins || ($is_tag && $line !== '');
		if ($begins) {
			$tags[] = $line;
		} elseif ($is_tag) {
			$tags[array_key_last($tags)] .= " $line";
		} else {
			$text[] = $line;
		}
	}
	return [$text, $tags];
}

/** @param list<string> $lines of the text of a comment */
function paragraphs(array $lines): string
{
	$paragraphs = array_filter(array_map('trim', preg_split('/\n\s*\n/', implode("\n", $lines))));
	return implode("\n\n", array_map(fn (string $one) => marked(preg_replace('/\s+/', ' ', $one)), $paragraphs));
}

/** Splits a tag after its type, at the first space outside of brackets. A space after a colon belongs to the type: "callable(T): int".
 * @return array{string, string} */
function type_and_text(string $tag): array
{
	for ($at = $depth = 0; $at < strlen($tag); $at++) {
		$depth += match ($tag[$at]) { '(', '<', '{', '[' => 1, ')', '>', '}', ']' => -1, default => 0 };
		if ($depth === 0 && $tag[$at] === ' ' && $tag[$at - 1] !== ':') {
			break;
		}
	}
	return [substr($tag, 0, $at), trim(substr($tag, $at))];
}

/** Splits a @param behind its type into name and text. @return array{string, string} */
function name_and_text(string $tag): array
{
	return preg_match('/^(?:&|\.\.\.)*(\$\w+)(?: (.+))?$/', $tag, $found) ? [$found[1], $found[2] ?? ''] : throw new Complaint("\"@param $tag\" has no type, or no parameter");
}

/** Texts of the tags as Markdown, and the types of @phpstan- tags, by parameter ("$key") or "return".
 * @param list<string> $tags
 * @return array{parameters: array<string, string>, returns: string, throws: list<array{type: string, text: string}>, types: array<string, string>} */
function said_by_tags(array $tags): array
{
	$said = ['parameters' => [], 'returns' => '', 'throws' => [], 'types' => []];
	foreach ($tags as $tag) {
		if (preg_match('/^@(phpstan-)?(param|return) (.+)$/', $tag, $found)) {
			[, $exact, $kind] = $found;
			[$type, $text] = type_and_text($found[3]);
			[$name, $text] = $kind === 'param' ? name_and_text($text) : [$kind, $text];
			$kind === 'param' ? $said['parameters'][$name] = marked($text) : $said['returns'] = marked($text);
			$said['types'] += $exact === '' ? [] : [$name => $type];
		} elseif (preg_match('/^@throws (\S+) ?(.*)$/', $tag, $found)) {
			$said['throws'][] = ['type' => ltrim($found[1], '\\'), 'text' => marked($found[2])];
		}
	}
	$said['parameters'] = array_filter($said['parameters'], fn (string $text): bool => $text !== '');
	return $said;
}

/** @return list<array{kind: string, name: string, signature: string, text: string, parameters: array<string, string>, returns: string,
 *  throws: list<array{type: string, text: string}>, types: array<string, string>}> classes, methods, properties and cases in the stub's
 *  order, with what said_by_tags() has of each */
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

/** Lower-cases a text that continues a sentence: "The number" after "Returns". */
function as_continuation(string $text): string
{
	return preg_match('/^[A-Z][a-z]*\b(?!::)/', $text) ? lcfirst($text) : $text;
}

/** "`ValueError` if it is negative". @param array{type: string, text: string} $one of said_by_tags() */
function thrown(array $one): string
{
	return rtrim('`' . strtr($one['type'], ['|' => '`, `', '\\' => '']) . '` ' . as_continuation($one['text']));
}

/** @param list<string> $comment */
function declaration(string $signature, array $comment): array
{
	$signature = preg_replace('/^    /m', '', preg_replace('/ ?\{\}$|;$/', '', trim($signature)));
	$signature = preg_replace('/^public /', '', $signature);
	if (!preg_match('/(?<kind>class|interface|enum|function|case) (?<name>\w+)|(?<property>\$\w+)(?: = \S+)?$/', $signature, $found)) {
		throw new Complaint("no declaration: $signature");
	}
	[$text, $tags] = text_and_tags($comment);
	return ['kind' => $found['kind'] ?: 'property', 'name' => $found['name'] ?: $found['property'], 'signature' => $signature,
		'text' => paragraphs($text), ...said_by_tags($tags)];
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

/** @return iterable<array{string, array}> each declaration with its class */
function with_classes(array $declarations): iterable
{
	$class = '';
	foreach ($declarations as $one) {
		$class = in_array($one['kind'], ['class', 'interface', 'enum'], true) ? $one['name'] : $class;
		yield [$class, $one];
	}
}

/** @return array<string, list<array>> name of a part => declarations, in the order of the page */
function stubs(string $page): array
{
	$files = stub_files();
	preg_match_all(PART, $page, $parts);
	$places = array_values(array_diff($parts[1], ['contents']));
	foreach ([...array_diff($places, array_keys($files)), ...array_diff(array_keys($files), $places)] as $name) {
		throw new Complaint("$name is not both a part of " . OVERVIEW . ' and a stub of src/php');
	}
	return array_combine($places, array_map(fn (string $name): array => declarations(file_get_contents($files[$name])), $places));
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

/** The paragraphs of a method's text, and apart from them what those say that begin with "Cost:". @return array{list<string>, string} */
function text_and_cost(string $text): array
{
	$paragraphs = array_filter(explode("\n\n", $text));
	$costs = preg_grep('/^Cost: /', $paragraphs);
	return [array_diff($paragraphs, $costs), implode(' ', array_map(fn (string $cost): string => ucfirst(substr($cost, strlen('Cost: '))), $costs))];
}

/** @return list<array{name: string, type: string, default: string, is_many: bool}> the parameters of a signature, in their order */
function parameters_of(string $signature): array
{
	$inner = preg_replace('/^[^(]*\(|\)[^()]*$/', '', preg_replace('/#\[[^]]*\] /', '', $signature));
	preg_match_all('/\s*(?<type>[\w|?\\\\]+ )?(?<mark>&|\.\.\.)?(?<name>\$\w+)(?: = (?<default>[^,\n]+))?/', $inner, $found, PREG_SET_ORDER);
	return array_map(fn (array $one): array => ['name' => $one['name'], 'type' => trim($one['type'] ?? '') ?: 'mixed',
		'default' => trim($one['default'] ?? ''), 'is_many' => $one['mark'] === '...'], $found);
}

function return_type(string $signature): string
{
	return preg_match('/\): (.+)$/', $signature, $found) ? $found[1] : '';
}
