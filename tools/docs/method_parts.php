<?php
/* Sorts what a stub says of a method by what a reader looks for: what it does, its parameters, what it returns, what it throws, its
 * round trips. No sentence is lost, and none is written twice. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

/** What one method's page says of it. Texts are Markdown. */
final class Parts
{
	/** @var list<string> paragraphs */
	public array $does = [];
	/** @var array<string, list<string>> "$name" => paragraphs */
	public array $parameters = [];
	/** @var list<string> */
	public array $returns = [];
	/** @var list<string> */
	public array $throws = [];
	/** @var list<string> */
	public array $trips = [];
	/** Taken from tags and a paragraph "Cost:", without sorting of sentences. */
	public bool $is_tagged = false;
}

const THROWS = '/^(?:An? )?`?(?:\w+Exception|ValueError|TypeError)\b|^Throws\b|\b(?:an?|or an?) (?:\w+Exception|ValueError|TypeError)\b|: (?:ValueError|TypeError)\.$/';
const RETURNS = '/^`?(?:True|False|Null|null|true|false|FALSE|TRUE|Returns)\b/';
const TRIPS = '/^(?=.*\bround trips?\b)(?:\d|No |One |Without contention|Over `Transport|FixedWindow: |As many |The two newest|Round trips as)|^(?:Round trips as|SlidingWindow: |TokenBucket: \d)/';
/** Such a sentence stands for the round trips of another method, too. */
const AS_ANOTHER = '/^As (`\w+\(\)`) in everything else|^(`\w+\(\)`) the other way\.$/';
/** Nothing else is said of a method that begins so. */
const ASKS_NOTHING = '/^(?:Asks no server|Connects to nothing)\.$/';
/** Such a sentence goes on with what the one before has said. */
const GOES_ON = '/^(?:Then|It|They|That|Those|There|Also|Where that|After that)\b/';

/** @return list<string> the sentences of a paragraph; "$a: this; $b: that." are two */
function sentences(string $paragraph): array
{
	$kept = preg_replace_callback('/`[^`]*`/', fn (array $code): string => str_replace([' ', ';'], ["\x01", "\x02"], $code[0]), $paragraph);
	$kept = preg_replace('/;\s+(?=`\$\w+`[,:])/', ".\x03", $kept);
	$sentences = preg_split('/(?<=[.!?])(?<!\b[A-Z]\.)(?<! al\.)\s+|\x03/', $kept);
	return array_map(fn (string $one): string => strtr($one, ["\x01" => ' ', "\x02" => ';']), $sentences);
}

/** The name of the parameter that a sentence begins with, if it is one of these. @param list<string> $parameters */
function subject(string $sentence, array $parameters): ?string
{
	return preg_match('/^`(\$\w+)/', $sentence, $found) && in_array($found[1], $parameters, true) ? $found[1] : null;
}

/** Where a sentence belongs that comes after one of $before: "does", "throws" ..., or a parameter's name. What a paragraph says of
 * a parameter is of it to the end, but for what all of the method is told in the last one. */
function place(string $sentence, string $before, ?string $subject, bool $is_last): string
{
	return match (true) {
		$subject !== null => $subject,
		$before[0] === '$' && !$is_last => $before,
		preg_match(TRIPS, $sentence) === 1 => 'trips',
		preg_match(THROWS, $sentence) === 1 => 'throws',
		preg_match(RETURNS, $sentence) === 1 => 'returns',
		$before[0] === '$' => $before,
		in_array($before, ['returns', 'throws'], true) && preg_match(GOES_ON, $sentence) === 1 => $before,
		default => 'does',
	};
}

/** Where the first sentence belongs: it says what a method does, whatever else it says. */
function first_place(string $sentence, ?string $subject): string
{
	return match (true) {
		preg_match(ASKS_NOTHING, $sentence) === 1 => 'trips',
		$subject !== null && preg_match('/^`\$\w+`[,:]/', $sentence) === 1 => $subject,
		default => 'does',
	};
}

/** @param list<string> $parameters "$name" each */
function parts_of(string $text, array $parameters, bool $is_constructor): Parts
{
	$parts = new Parts();
	$is_first = true;
	$paragraphs = array_filter(explode("\n\n", $text));
	foreach ($paragraphs as $number => $paragraph) {
		$places = [];
		$before = 'does';
		foreach (sentences($paragraph) as $sentence) {
			$subject = subject($sentence, $parameters);
			$before = $is_first ? first_place($sentence, $subject) : place($sentence, $before, $subject, !$is_constructor && $number === array_key_last($paragraphs));
			$places[$before][] = $sentence;
			$is_first = $is_first && $before === 'trips';
			if (preg_match(AS_ANOTHER, $sentence, $other)) {
				$parts->trips[] = 'As ' . ($other[1] ?: $other[2]) . '.';
			}
		}
		foreach ($places as $place => $sentences) {
			$said = ucfirst(implode(' ', $sentences));
			$place[0] === '$' ? $parts->parameters[$place][] = $said : $parts->{$place}[] = $said;
		}
	}
	return $parts;
}

/** Parts of a method whose stub has a paragraph "Cost:" or tags with texts. Null: its sentences must be sorted.
 * @param array $one an element of declarations() */
function tagged_parts(array $one): ?Parts
{
	$paragraphs = array_filter(explode("\n\n", $one['text']));
	$costs = preg_grep('/^Cost: /', $paragraphs);
	if ($costs === [] && $one['parameters'] === [] && $one['returns'] === '' && $one['throws'] === []) {
		return null;
	}
	$parts = new Parts();
	$parts->is_tagged = true;
	$parts->does = array_values(array_diff($paragraphs, $costs));
	$parts->trips = array_values(preg_replace_callback('/^Cost: (.)/', fn (array $found): string => ucfirst($found[1]), $costs));
	$parts->parameters = array_map(fn (string $text): array => [$text], $one['parameters']);
	$parts->returns = $one['returns'] === '' ? [] : [as_continuation($one['returns'])];
	foreach ($one['throws'] as ['type' => $type, 'text' => $text]) {
		$parts->throws[] = rtrim('`' . strtr($type, ['|' => '`, `', '\\' => '']) . '` ' . as_continuation($text));
	}
	return $parts;
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
