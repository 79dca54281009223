<?php
/* Writes the pages of the reference, one for each class: its methods with what a reader looks for, by the stubs, the table of what
 * happens when a server is down, and the examples that tests run. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Docs;

/** Where the pages are, relative to the top folder. */
const REFERENCE = 'docs/reference';
/** Of these stubs, each of many small classes, what a page is called. */
const COLLECTIONS = ['enums' => 'Choices', 'exceptions' => 'Exceptions'];

/** Descriptions of parameters that have none in their stub, by class and for all classes. */
const PARAMETERS = [
	'' => [
		'$pool' => 'The servers and how they are used.',
		'$name' => 'Name that all processes and hosts use for the same object: a non-empty string, under the Pool\'s prefix.',
	],
	'Cache' => [
		'$key' => 'A non-empty string, after the prefixes of the Pool and the Cache.',
		'$default' => 'The result if this caller gets no value.',
		'$value' => 'Anything that the Pool\'s serializer can write, null included.',
	],
	'MC' => ['$cache' => 'The Cache to use.'],
];

final class Reference
{
	/** @var array<string, list<array>> "cache" => its declarations, in the overview's order */
	public array $stubs = [];
	/** @var array<string, string> "Lock" or "Lock::acquire" => "lock.md#lockacquire" */
	private array $places = [];
	/** @var array<string, string> an anchor of the overview => its place here */
	public array $anchors = [];
	/** @var array<string, array> */
	private array $examples;
	private string $overview;

	public function __construct()
	{
		$this->overview = file_get_contents(OVERVIEW);
		$this->examples = examples_by_method();
		$this->stubs = stubs($this->overview);
		foreach ($this->stubs as $name => $declarations) {
			foreach (with_classes($declarations) as [$class, $one]) {
				$heading = $one['kind'] === 'function' ? heading($class, $one['name']) : $class;
				$place = "$name.md" . ($one['kind'] === 'function' || isset(COLLECTIONS[$name]) ? '#' . anchor_of($heading) : '');
				$this->places[$one['kind'] === 'function' ? "$class::$one[name]" : $class] ??= $place;
				$this->anchors[anchor_of($heading)] ??= $place;
			}
		}
		foreach (array_keys(COLLECTIONS) as $name) {
			$this->anchors[anchor_of(COLLECTIONS[$name])] = "$name.md";
		}
	}

	/** @return iterable<string, array{string, array}> "Lock::acquire" => its class and declaration */
	public function methods(): iterable
	{
		foreach ($this->stubs as $declarations) {
			foreach (with_classes($declarations) as [$class, $one]) {
				if ($one['kind'] === 'function') {
					yield "$class::$one[name]" => [$class, $one];
				}
			}
		}
	}

	public function title(string $stub): string
	{
		return COLLECTIONS[$stub] ?? $this->stubs[$stub][0]['name'];
	}

	/** @return array<string, string> path of a page => its text */
	public function pages(): array
	{
		$pages = [];
		foreach (array_keys($this->stubs) as $stub) {
			$pages[REFERENCE . "/$stub.md"] = isset(COLLECTIONS[$stub]) ? $this->collection($stub) : $this->class_page($stub);
		}
		return $pages;
	}

	/** The tables, with links to the pages in the place of the classes. */
	public function overview(): string
	{
		$text = preg_replace_callback(PART, fn (array $part): string => $part[1] === 'contents' ? "\n{$this->contents()}\n" : '', $this->overview);
		return preg_replace('/^# (?:Choices|Exceptions)\n*/m', '', $text);
	}

	private function contents(): string
	{
		$lines = [];
		foreach ($this->stubs as $stub => $declarations) {
			$links = [];
			foreach (with_classes($declarations) as [$class, $one]) {
				if ($one['kind'] === 'function') {
					$links[] = '[' . strtr($one['name'], ['__construct' => 'new']) . '](../reference/' . $this->places["$class::$one[name]"] . ')';
				} elseif (isset(COLLECTIONS[$stub]) && $one['name'] === $class) {
					$links[] = "[$class](../reference/{$this->places[$class]})";
				}
			}
			$lines[] = rtrim('- [' . $this->title($stub) . "](../reference/$stub.md): " . implode(', ', $links), ': ');
		}
		return implode("\n", $lines) . "\n";
	}

	private function class_page(string $stub): string
	{
		$text = '';
		foreach (with_classes($this->stubs[$stub]) as [$class, $one]) {
			$text .= match ($one['kind']) {
				'class' => "# $class\n\n```php\n$one[signature]\n```\n\n" . $this->linked($one['text'], $class) . "\n\n" . $this->guide($stub),
				'property' => "- `$one[signature]`: " . $this->linked($one['text'], $class) . "\n",
				'function' => $this->method($class, $one),
			};
		}
		return rtrim($text) . "\n";
	}

	/** Where more is said of a class. */
	private function guide(string $stub): string
	{
		$file = 'docs/classes/' . strtr(['session_handler' => 'sessions', 'key' => 'keys'][$stub] ?? $stub, '_', '-') . '.md';
		$links = file_exists($file) ? ['[the guide](../classes/' . basename($file) . ')'] : [];
		foreach (glob('examples/*.php') as $script) {
			if (preg_match('/^use McPatterns\\\\\{?[^;]*\b' . $this->title($stub) . '\b/m', file_get_contents($script))) {
				$links[] = '[' . basename($script) . "](../../$script)";
			}
		}
		return $links === [] ? '' : 'More: ' . implode(', ', $links) . ".\n\n";
	}

	private function collection(string $stub): string
	{
		$text = '# ' . $this->title($stub) . "\n\n";
		foreach (with_classes($this->stubs[$stub]) as [$class, $one]) {
			$said = $this->linked($one['text'], $class);
			$text = rtrim($text) . match ($one['kind']) {
				'case' => "\n- " . rtrim("`$class::$one[name]` $said") . "\n",
				'property' => "\n- `$one[signature]`: $said\n",
				default => "\n\n## $class\n\n`$one[signature]`\n\n$said\n",
			};
			$text = preg_replace('/(?<!\n)\n(- [^\n]*\n)\z/', "\n\n$1", $text, 1);
			$text = preg_replace('/^(- [^\n]*)\n\n(- [^\n]*\n)\z/m', "$1\n$2", $text, 1);
		}
		return $text;
	}

	private function method(string $class, array $one): string
	{
		$parameters = parameters_of($one['signature']);
		[$does, $cost] = text_and_cost($one['text']);
		$name = "$class::$one[name]";
		$text = '## ' . heading($class, $one['name']) . "\n\n```php\n" . folded($one['signature']) . "\n```\n\n" . (implode("\n\n", $does) ?: "Makes a `$class`.") . "\n\n";
		$text = $this->linked($text, $class);
		if ($parameters !== []) {
			$text .= self::part('Parameters');
			foreach ($parameters as $parameter) {
				$text .= $this->parameter($class, $name, $parameter, $one);
			}
		}
		$type = $one['types']['return'] ?? return_type($one['signature']);
		if ($one['name'] !== '__construct') {
			$text .= self::part('Returns') . $this->linked(trim("`$type` " . as_continuation($one['returns'])), $class) . "\n\n";
		}
		$text .= $one['throws'] === [] ? '' : self::part('Throws') . $this->linked(implode("\n\n", array_map(thrown(...), $one['throws'])), $class) . "\n\n";
		$text .= $this->when_down($class, $one['name']);
		return $text . self::part('Round trips') . $this->linked($this->trips($name, $cost), $class) . "\n\n" . $this->example($name);
	}

	private static function part(string $title): string
	{
		return "**$title**\n{: .part }\n\n";
	}

	private function parameter(string $class, string $name, array $parameter, array $one): string
	{
		$said = $one['parameters'][$parameter['name']] ?? PARAMETERS[$class][$parameter['name']] ?? PARAMETERS[''][$parameter['name']]
			?? throw new Complaint("nothing is said of $parameter[name] of $name(): say it in its stub, or in tools/docs/class_pages.php");
		$type = ($one['types'][$parameter['name']] ?? $parameter['type']) . ($parameter['is_many'] ? ' ...' : '');
		$default = $parameter['default'] === '' ? '' : ", by default `$parameter[default]`";
		return "`$parameter[name]`\n:   `$type`$default\n\n    " . $this->linked(ucfirst($said), $class) . "\n\n";
	}

	private function trips(string $name, string $cost): string
	{
		return match (true) {
			$cost !== '' => $cost,
			str_ends_with($name, '::__construct'), str_contains($this->rows($name), 'sends no request') => 'None: sends no request.',
			default => throw new Complaint("nothing is said of the round trips of $name(): say it in its stub"),
		};
	}

	/** The rows of the table of what happens when a server is down, as sentences. */
	private function rows(string $name): string
	{
		[$class, $method] = explode('::', $name);
		preg_match_all("/^\\| `$class` \\| (.*?) \\| (.*?) \\|\$/m", $this->overview, $rows, PREG_SET_ORDER);
		$said = [];
		foreach ($rows as [, $methods, $then]) {
			if (preg_match("/`$method(\\([^`]*\\))?`(?: \\(([^)]*)\\))?/", $methods, $found)) {
				$case = isset($found[1]) && $found[1] !== '' ? "`$method$found[1]`: " : '';
				$said[] = $case . $then . (isset($found[2]) ? "; $found[2]" : '');
			}
		}
		return implode('. ', $said);
	}

	private function when_down(string $class, string $method): string
	{
		$said = $this->rows("$class::$method");
		if ($said === '' || $said === 'sends no request') {
			return '';
		}
		return self::part('When a server is down') . $this->linked(ucfirst($said), $class) . ' ([all methods](../classes/reference.md#when-a-server-is-down)).' . "\n\n";
	}

	private function example(string $name): string
	{
		$example = $this->examples[$name] ?? throw new Complaint("$name() has no example in examples/methods");
		$prints = $example['prints'] === '' ? '' : "prints\n\n```text\n$example[prints]```\n\n";
		return self::part('Example') . "```php\n$example[code]```\n\n$prints";
	}

	/** Classes, methods and pages that a text names become links, those of $class without its name. */
	private function linked(string $text, string $class): string
	{
		return change_prose($text, function (string $line) use ($class): string {
			if (str_starts_with($line, '#')) {
				return $line;
			}
			$line = preg_replace_callback('~(?<![`\w/(])docs/(\w+)/([\w-]+)\.md(?:#[\w-]+)?~', fn (array $page): string =>
				'[' . page_name($page[1], $page[2]) . "](../../$page[0])", $line);
			return preg_replace_callback('/`(?:(\w+)::)?(\w+)\(\)`|(?<![\w`\[(:\/$])([A-Z]\w+)(?![\w`(:])/', function (array $found) use ($class): string {
				$name = isset($found[3]) ? $found[3] : ($found[1] ?: $class) . "::$found[2]";
				return isset($this->places[$name]) && $name !== $class ? "[$found[0]]({$this->places[$name]})" : $found[0];
			}, $line);
		});
	}
}
