<?php
/* Takes a method apart for its page: the text and cost in its docblock, and the parameters and return type of its signature. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

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
