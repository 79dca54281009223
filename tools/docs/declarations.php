<?php
/* Reads the stubs in src/php: which classes, methods, properties and cases there are, and what is said of each. For the tools that
 * write pages of them. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Tools;

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
	return preg_replace_callback('/`[^`]*`|[<*]/', fn (array $found): string => strtr($found[0], $found[0][0] === '`' ? [] : ['<' => '&lt;', '*' => '\*']), $marked);
}

/** Splits a comment into its text and its tags. @return array{string, list<string>} */
function text_and_tags(string $comment): array
{
	$parts = preg_split('/^(?=@)/m', preg_replace('~^\s*/?\*+/?\h*|\s*\*/$~m', '', $comment));
	return [array_shift($parts), array_map(fn (string $tag): string => trim(preg_replace('/\s+/', ' ', $tag)), $parts)];
}

function paragraphs(string $text): string
{
	$paragraphs = array_filter(array_map('trim', preg_split('/\n\s*\n/', $text)));
	return implode("\n\n", array_map(fn (string $one) => marked(preg_replace('/\s+/', ' ', $one)), $paragraphs));
}

/** A tag: its type ends at the first space outside of brackets, unless a colon is before that: "callable(T): int". */
const TYPED_TAG = '~^@(?<exact>phpstan-)?(?:param|return) (?<type>(?:[^\s()<>{}[\]]|(?<brackets>[(<{[](?:[^()<>{}[\]]|(?&brackets))*[)>}\]])|(?<=:) )+)'
	. '(?: (?:&|\.\.\.)*(?<name>\$\w+)(?= |$))?(?: (?<text>.+))?$~';

/** Texts of the tags as Markdown, and the types of @phpstan- tags, by parameter ("$key") or "return".
 * @param list<string> $tags
 * @return array{texts: array<string, string>, throws: list<array{type: string, text: string}>, types: array<string, string>} */
function said_by_tags(array $tags): array
{
	$said = ['texts' => [], 'throws' => [], 'types' => []];
	foreach ($tags as $tag) {
		if (preg_match(TYPED_TAG, $tag, $found)) {
			$name = ($found['name'] ?? '') ?: 'return';
			$said['texts'] += isset($found['text']) ? [$name => marked($found['text'])] : [];
			$said['types'] += $found['exact'] === '' ? [] : [$name => $found['type']];
		} elseif (preg_match('/^@throws (\S+) ?(.*)$/', $tag, $found)) {
			$said['throws'][] = ['type' => ltrim($found[1], '\\'), 'text' => marked($found[2])];
		}
	}
	return $said;
}

/** @return list<array{class: string, kind: string, name: string, signature: string, text: string, texts: array<string, string>,
 *  throws: list<array{type: string, text: string}>, types: array<string, string>}> classes, methods, properties and cases in the stub's
 *  order, with what said_by_tags() has of each */
function declarations(string $stub): array
{
	$declaration = '~(?:^ *(?<comment>/\*\*(?:(?!\*/).)*\*/)\n)?^ *(?<signature>(?:(?:final|public|static|abstract|readonly) )*'
		. '(?:(?<kind>class|interface|enum|function|case) (?<name>\w+)|[\w|?\\\\]+ (?<property>\$\w+))[^;{]*?)\s*(?:\{\}|;|\{)$~ms';
	preg_match_all($declaration, $stub, $found, PREG_SET_ORDER);
	if (count(preg_grep('/^public /', array_column($found, 'signature'))) !== preg_match_all('/^ *public /m', $stub)) {
		fail('a stub has a declaration of another form');
	}
	$class = '';
	return array_map(function (array $one) use (&$class): array {
		$class = in_array($one['kind'], ['class', 'interface', 'enum'], true) ? $one['name'] : $class;
		[$text, $tags] = text_and_tags($one['comment']);
		return ['class' => $class, 'kind' => $one['kind'] ?: 'property', 'name' => $one['name'] ?: $one['property'], 'text' => paragraphs($text), ...said_by_tags($tags),
			'signature' => preg_replace(['/^    /m', '/^public /'], '', $one['signature'])];
	}, $found);
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

/** @return array<string, string> the stubs, by their files' names: "cache" => src/php/cache/class_cache.stub.php */
function stub_files(): array
{
	$files = [];
	foreach (glob('src/php/{,*/,*/*/}*.stub.php', GLOB_BRACE) as $file) {
		$files[basename($file, '.stub.php')] = $file;
	}
	ksort($files, SORT_STRING);
	return array_combine(preg_replace('/^class_/', '', array_keys($files)), $files);
}

/** @return array<string, list<array>> name of a part => declarations, in the order of the page */
function stubs(string $page): array
{
	$files = stub_files();
	preg_match_all(PART, $page, $parts);
	$places = array_values(array_diff($parts[1], ['contents']));
	foreach ([...array_diff($places, array_keys($files)), ...array_diff(array_keys($files), $places)] as $name) {
		fail("$name is not both a part of " . OVERVIEW . ' and a stub of src/php');
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

function link_to(string $text, string $heading): string
{
	return "[$text](#" . heading_names("# $heading")[0] . ')';
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
