<?php
/* Lays the pages out as MkDocs wants them: those of the map, one for each part of the reference, and the pages that they link to. A
 * linked file of code gets a page that shows it. Every path stays what it is in the tree. Pages and headings that have moved, by
 * docs/redirects.json, are still found: the plugin mkdocs-redirects makes a page of each moved page, which leads on. A moved heading leaves
 * its name on its page, or on the page that this has become, at the heading that took its place, or at the last one. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Tools;

/** A file's language by the end of its name, for its colours. */
const LANGUAGES = ['php' => 'php', 'yml' => 'yaml', 'json' => 'json', 'ini' => 'ini', 'sh' => 'bash', 'c' => 'c', 'h' => 'c', 'xml' => 'xml'];
const PICTURES = ['png', 'svg'];
/** Where the parts of the reference are. */
const REFERENCE = 'docs/reference';
const REDIRECTS = 'docs/redirects.json';

final class Pages
{
	/** @var array<string, string> path in the site's sources => text */
	public array $texts = [];
	/** @var array<string, true> pictures to be copied */
	public array $pictures = [];
	/** @var array<string, string> path of a part of the reference => its title */
	public array $titles = [];
	/** @var array<string, string> "docs/old.md" or "docs/page.md#old-heading" => the place now, which exists */
	public readonly array $redirects;
	/** @var array<string, string> an anchor of the reference => the page of a part, with it */
	private array $anchors = [];
	/** @var list<string> */
	private array $ahead = [];

	public function __construct()
	{
		$this->redirects = self::redirects();
		$parts = self::parts();
		foreach ($parts as $path => $text) {
			$this->titles[$path] = title_and_summary($text)[0];
			foreach (heading_names($text) as $name) {
				$this->anchors[$name] = "$path#$name";
			}
		}
		foreach ($parts as $path => $text) {
			$this->texts[$path] = $this->laid_out($path, $text, OVERVIEW);
		}
		$this->ahead = [...$this->ahead, 'README.md', MAP, ...array_merge(...array_map(array_keys(...), array_values(groups())))];
		while (($path = array_shift($this->ahead)) !== null) {
			if (!isset($this->texts[self::page_of($path)])) {
				$this->texts[self::page_of($path)] = $this->text_of($path);
			}
		}
	}

	/** @return array<string, string> */
	private static function redirects(): array
	{
		$redirects = json_decode(file_get_contents(REDIRECTS), true, 2, JSON_THROW_ON_ERROR);
		foreach ($redirects as $from => $to) {
			[$page, $name] = explode('#', $to) + [1 => ''];
			if (!is_file($page) || $name !== '' && !in_array($name, heading_names(file_get_contents($page)), true)) {
				fail(REDIRECTS . ": there is no $to");
			}
			if (is_file($from)) {
				fail(REDIRECTS . ": $from exists");
			}
		}
		return $redirects;
	}

	/**
	 * Marks of the names that a page had for its headings, or for those of pages that lead here now.
	 *
	 * @param list<string> $headings of the page
	 * @return array<string, array<string, string>> heading that took the place, or '' if that is on another page => name => mark
	 */
	private function marks(string $page, array $headings): array
	{
		$marks = [];
		foreach ($this->redirects as $from => $to) {
			[$old, $name] = explode('#', $from) + [1 => ''];
			[$place, $heading] = explode('#', $to) + [1 => ''];
			$now = is_file($old) ? $old : $this->redirects[$old] ?? fail(REDIRECTS . ": $old itself leads nowhere");
			if ($name !== '' && strtok($now, '#') === $page && !in_array($name, $headings, true)) {
				$marks[$place === $page ? $heading : ''][$name] = "<span id=\"$name\"></span>";
			}
		}
		return $marks;
	}

	/** The pages that the reference becomes, each with one heading of the first rank. @return array<string, string> path => text */
	private static function parts(): array
	{
		$pages = [];
		preg_match_all(PART, file_get_contents(OVERVIEW), $parts, PREG_SET_ORDER);
		foreach ($parts as [$text, $name]) {
			if ($name !== 'contents') {
				$pages[REFERENCE . "/$name.md"] = str_starts_with($text, "\n# ") ? $text : change_prose($text, fn (string $line): string => preg_replace('/^#(#+ )/', '$1', $line));
			}
		}
		return $pages;
	}

	/** The page that shows a file or folder. */
	private static function page_of(string $path): string
	{
		return match (true) {
			is_dir($path) => file_exists("$path/README.md") ? "$path/README.md" : "$path/index.md",
			str_ends_with($path, '.md') => $path,
			default => "$path.md",
		};
	}

	private function text_of(string $path): string
	{
		$page = self::page_of($path);
		if (is_file($page)) {
			$text = file_get_contents($page);
			$own = $path !== OVERVIEW ? $text : preg_replace_callback(PART, fn (array $part): string => $part[1] === 'contents' ? $part[0] : '', $text);
			return $this->laid_out($page, $own, $page);
		}
		if (is_dir($path)) {
			return "# $path\n\nIts files:\n\n```text\n" . implode("\n", tree_files('~^' . preg_quote($path, '~') . '/~')) . "\n```\n";
		}
		$language = LANGUAGES[pathinfo($path, PATHINFO_EXTENSION)] ?? 'text';
		return "# $path\n\n~~~~$language\n" . rtrim(file_get_contents($path)) . "\n~~~~\n";
	}

	/** As Python's Markdown wants it: names of headings written out, blocks of languages that it knows, lists indented by four. The links
	 * are those of $origin. */
	private function laid_out(string $page, string $text, string $origin): string
	{
		$names = heading_names($text);
		$moved = $this->marks($page, $names);
		$is_in_list = false;
		$text = change_prose($text, function (string $line) use ($page, $origin, $moved, &$names, &$is_in_list): string {
			$is_in_list = preg_match('/^(?:- |\d+\. )/', $line) || ($is_in_list && preg_match('/^(?:\s|$)/', $line));
			$indented = $is_in_list ? preg_replace_callback('/^ {2,3}(?=\S)| {4}(?=\S)/A', fn (array $spaces): string => strlen($spaces[0]) < 4 ? '    ' : '        ', $line) : $line;
			$linked = preg_replace_callback('/\]\(([^()\s]+)\)/', fn (array $link): string => '](' . $this->link($page, $origin, $link[1]) . ')', $indented);
			if (!preg_match('/^#+ /', $line)) {
				return $linked;
			}
			$name = array_shift($names);
			$marks = implode("\n", [...($moved[$name] ?? []), ...($names === [] ? $moved[''] ?? [] : [])]);
			return ($marks === '' ? '' : "$marks\n\n") . "$linked {#$name}";
		});
		return preg_replace_callback('/^```(\S+).*$/m', fn (array $fence): string => '```' . (in_array($fence[1], ['hex', 'mermaid'], true) ? 'text' : $fence[1]), $text);
	}

	/** Where a link of a page leads in the site, as it stands in $origin. What it leads to is laid out, too. */
	private function link(string $page, string $origin, string $link): string
	{
		if (preg_match('~^[a-z]+:~', $link)) {
			return $link;
		}
		[$file, $anchor] = explode('#', $link, 2) + [1 => ''];
		$target = $file === '' ? $origin : tidied_path(dirname($origin) . "/$file");
		$top = str_repeat('../', substr_count($page, '/'));
		if ($target === OVERVIEW && isset($this->anchors[$anchor])) {
			return $top . $this->anchors[$anchor];
		}
		if (!file_exists($target)) {
			fail("$page: there is no $target");
		}
		if (in_array(pathinfo($target, PATHINFO_EXTENSION), PICTURES, true)) {
			$this->pictures[$target] = true;
			return $top . $target;
		}
		$this->ahead[] = $target;
		return $top . self::page_of($target) . ($anchor === '' ? '' : "#$anchor");
	}
}
