<?php
/* Lays the pages out as MkDocs wants them: those of the map and of the reference, what they link to, and for each linked file of code
 * a page that shows it. Every path stays what it is in the tree, so that links between pages need no change. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

/** A file's language by the end of its name, for its colours. */
const LANGUAGES = ['php' => 'php', 'yml' => 'yaml', 'json' => 'json', 'ini' => 'ini', 'sh' => 'bash', 'c' => 'c', 'h' => 'c', 'xml' => 'xml'];
const PICTURES = ['png', 'svg'];

final class Pages
{
	/** @var array<string, string> path in the site's sources => text */
	public array $texts = [];
	/** @var array<string, true> pictures to be copied */
	public array $pictures = [];
	/** @var list<string> */
	private array $ahead = [];

	public function __construct(private Reference $reference)
	{
		foreach ($reference->pages() as $path => $text) {
			$this->texts[$path] = $this->laid_out($path, $text);
		}
		$this->ahead = [...$this->ahead, 'README.md', MAP, ...array_merge(...array_map(array_keys(...), array_values(groups())))];
		while (($path = array_shift($this->ahead)) !== null) {
			if (!isset($this->texts[self::page_of($path)])) {
				$this->texts[self::page_of($path)] = $this->text_of($path);
			}
		}
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
		if ($path === OVERVIEW) {
			return $this->laid_out($path, $this->reference->overview());
		}
		$page = self::page_of($path);
		if (is_file($page)) {
			return $this->laid_out($page, file_get_contents($page));
		}
		if (is_dir($path)) {
			exec('git ls-files -co --exclude-standard -- ' . escapeshellarg($path), $files);
			return "# $path\n\nIts files:\n\n```text\n" . implode("\n", $files) . "\n```\n";
		}
		$language = LANGUAGES[pathinfo($path, PATHINFO_EXTENSION)] ?? 'text';
		return "# $path\n\n~~~~$language\n" . rtrim(file_get_contents($path)) . "\n~~~~\n";
	}

	/** As Python's Markdown wants it: names of headings written out, blocks of languages that it knows, lists indented by four. */
	private function laid_out(string $page, string $text): string
	{
		$names = heading_names($text);
		$moved = self::places(moved_headings($page, $names));
		$is_in_list = false;
		$text = change_prose($text, function (string $line) use ($page, $moved, &$names, &$is_in_list): string {
			$is_in_list = preg_match('/^(?:- |\d+\. )/', $line) || ($is_in_list && preg_match('/^(?:\s|$)/', $line));
			$indented = $is_in_list ? preg_replace_callback('/^ {2,3}(?=\S)| {4}(?=\S)/A', fn (array $spaces): string => strlen($spaces[0]) < 4 ? '    ' : '        ', $line) : $line;
			$linked = preg_replace_callback('/\]\(([^()\s]+)\)/', fn (array $link): string => '](' . $this->link($page, $link[1]) . ')', $indented);
			if (!preg_match('/^#+ /', $line)) {
				return $linked;
			}
			$name = array_shift($names);
			return ($names === [] ? $moved : '') . "$linked {#$name}";
		});
		return preg_replace_callback('/^```(\S+).*$/m', fn (array $fence): string => '```' . (in_array($fence[1], ['hex', 'mermaid'], true) ? 'text' : $fence[1]), $text);
	}

	/** Stand before the last heading, under which links lead on. */
	private static function places(array $names): string
	{
		return $names === [] ? '' : implode("\n", preg_filter('/.+/', '<span id="$0"></span>', $names)) . "\n\n";
	}

	/** Where a link of a page leads in the site. What it leads to is laid out, too. */
	private function link(string $page, string $link): string
	{
		if (preg_match('~^[a-z]+:~', $link)) {
			return $link;
		}
		[$file, $anchor] = explode('#', $link, 2) + [1 => ''];
		$target = $file === '' ? $page : tidied_path(dirname($page) . "/$file");
		if ($target === OVERVIEW && isset($this->reference->anchors[$anchor])) {
			return relative_link($page, REFERENCE . '/' . $this->reference->anchors[$anchor]);
		}
		if (str_starts_with($target, REFERENCE . '/')) {
			return $link;
		}
		if (!file_exists($target)) {
			throw new Complaint("$page: there is no $target");
		}
		if (in_array(pathinfo($target, PATHINFO_EXTENSION), PICTURES, true)) {
			$this->pictures[$target] = true;
			return $link;
		}
		$this->ahead[] = $target;
		return relative_link($page, self::page_of($target)) . ($anchor === '' ? '' : "#$anchor");
	}
}
