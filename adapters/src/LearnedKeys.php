<?php
/* Which keys the requests of a route ask for, so that the next one reads them in one round trip. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters;

use McPatterns\Cache;

/**
 * @internal
 *
 * On the list is what two of the last four requests asked for that were looked at. A request is looked at unless it has asked for
 * just what is on the list, and writes what it has asked for. After four that have changed nothing, none is looked at for a pause
 * that doubles: so keys that each visitor has for itself do not make every request write.
 */
final class LearnedKeys
{
	public const MOST = 256;
	/** Seconds that a list is kept, and those for which a host answers it by itself. */
	public const LIFE = 86400;
	public const NEAR = 60;
	private const LOOKS = 4;
	private const LONGEST_PAUSE = 3600;

	/** @var array<array-key, int> key => a bit for each of the last four requests that were looked at, bit 0 for the last one */
	private array $seen = [];
	/** @var array<array-key, true> */
	private array $asked = [];
	/** So many looks in a row have changed nothing; the pause that the last ones were followed by, and its end. */
	private int $idle = 0;
	private int $pause = 0;
	private float $until = 0;

	/**
	 * $lists: of all routes. $route: its name, without an address or a parameter, because each has a list. $except: regular expression of
	 * keys that are never on it.
	 */
	public function __construct(private readonly Cache $lists, private readonly string $route, private readonly string $except = '')
	{
		$kept = $lists->peek($route);
		if (is_array($kept) && count($kept) === 4 && is_array($kept[0] ?? null) && is_int($kept[1] ?? null) && is_int($kept[2] ?? null) && is_float($kept[3] ?? null)) {
			$this->seen = array_filter($kept[0], is_int(...));
			[, $this->idle, $this->pause, $this->until] = $kept;
		}
	}

	/** @return list<string> to be read before they are asked for */
	public function keys(): array
	{
		return array_map(strval(...), array_keys($this->listed()));
	}

	public function note(string $key): void
	{
		$this->asked[$key] = true;
	}

	/** At the request's end. */
	public function close(): void
	{
		$asked = $this->except === '' ? $this->asked
			: array_filter($this->asked, fn (int|string $key): bool => preg_match($this->except, (string) $key) === 0, ARRAY_FILTER_USE_KEY);
		$before = $this->listed();
		if (array_diff_key($asked, $before) === [] && array_diff_key($before, $asked) === [] || microtime(true) < $this->until) {
			return;
		}
		$this->look(array_slice($asked, 0, self::MOST, true));
		if (array_diff_key($this->listed(), $before) !== [] || array_diff_key($before, $this->listed()) !== []) {
			$this->idle = $this->pause = 0;
		} elseif (++$this->idle === self::LOOKS) {
			$this->idle = 0;
			$this->pause = min(max(1, 2 * $this->pause), self::LONGEST_PAUSE);
			$this->until = microtime(true) + $this->pause;
		}
		$this->lists->set($this->route, [$this->seen, $this->idle, $this->pause, $this->until], self::LIFE);
	}

	/** @param array<array-key, true> $asked */
	private function look(array $asked): void
	{
		$seen = [];
		foreach ($this->seen + $asked as $key => $was) {
			$bits = (is_int($was) ? $was << 1 : 0) & 0b1110 | (isset($asked[$key]) ? 1 : 0);
			if ($bits !== 0) {
				$seen[$key] = $bits;
			}
		}
		$this->seen = $seen;
	}

	/** @return array<array-key, int> */
	private function listed(): array
	{
		// Two bits are set where one is left when the lowest is taken away.
		return array_slice(array_filter($this->seen, fn (int $bits): bool => ($bits & ($bits - 1)) !== 0), 0, self::MOST, true);
	}
}
