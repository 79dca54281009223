<?php
/* Requests that read rows of a database through core's WANObjectCache, beside requests that change them and purge their keys, while
 * memcached loses the purges. All are at one row at a time; what the cache has of a row long after that, the database must have. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace McPatterns\Adapters\Tests\MediaWiki;

use McPatterns\Pool;

final class RowsUnderLoad
{
	private const READERS = 6;
	private const WRITERS = 2;
	/** So long all are at one row, the writers half of it. */
	private const SECONDS_A_ROW = 0.6;
	/** The longest between reading a row and storing what was made of it, in microseconds. */
	private const COMPUTING = 50_000;

	private readonly string $folder;
	private float $begin;
	private int $rows;

	/** @param \Closure(): \BagOStuff $bag a request's own */
	public function __construct(private readonly \Closure $bag, private readonly \PrivateMemcached $memcached, private readonly string $prefix)
	{
		$this->folder = make_temporary_folder('rows');
		$this->database()->exec('PRAGMA journal_mode = WAL; CREATE TABLE rows (id INTEGER PRIMARY KEY, version INTEGER NOT NULL)');
	}

	/** @return array{reads: int, computed: int, changes: int, lost: int, held: int, old: int} old: of the rows that the cache holds at rest, those that the database has otherwise */
	public function run(int $rows): array
	{
		[$this->begin, $this->rows] = [microtime(true), $rows];
		$this->database()->exec("WITH RECURSIVE ids(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM ids WHERE id < $rows - 1) INSERT INTO rows SELECT id, 0 FROM ids");
		$work = [...array_fill(0, self::READERS, $this->read(...)), ...array_fill(0, self::WRITERS, $this->change(...))];
		$done = run_workers(count($work), fn (int $index): array => $work[$index](), self::SECONDS_A_ROW * $rows + 60);
		sleep(\WANObjectCache::HOLDOFF_TTL + 2);
		[$held, $old] = run_workers(1, $this->judge(...))[0];
		$sum = fn (string $what): int => array_sum(array_column($done, $what));
		return ['reads' => $sum('reads'), 'computed' => $sum('computed'), 'changes' => $sum('changes'), 'lost' => $sum('lost'), 'held' => $held, 'old' => $old];
	}

	/** @return array{reads: int, computed: int} */
	private function read(): array
	{
		$database = $this->database();
		$computed = 0;
		$version = function (int $id) use ($database, &$computed): array {
			$computed++;
			$row = ['version' => $this->version($database, $id)];
			usleep(random_int(0, self::COMPUTING));
			return $row;
		};
		for ($reads = 0; ($id = $this->row()) < $this->rows; $reads++) {
			$this->wan()->getWithSetCallback($this->key($id), 600, fn (): array => $version($id));
		}
		return ['reads' => $reads, 'computed' => $computed];
	}

	/** @return array{changes: int, lost: int} */
	private function change(): array
	{
		$database = $this->database();
		$statement = $database->prepare('UPDATE rows SET version = version + 1 WHERE id = ?');
		for ($changes = $lost = 0; ($id = $this->row()) < $this->rows;) {
			usleep(random_int(0, self::COMPUTING));
			if ($this->row(self::SECONDS_A_ROW / 2) !== $id) {
				continue;
			}
			$statement->execute([$id]);
			if (!$this->wan()->delete($this->key($id))) {
				throw new \RuntimeException('a purge failed');
			}
			usleep(random_int(0, 5000));
			$lost += $this->lose($id);
			$changes++;
		}
		return ['changes' => $changes, 'lost' => $lost];
	}

	/** As memcached loses a key when it is short of memory, or restarts. */
	private function lose(int $id): int
	{
		static $socket = null;
		$socket ??= stream_socket_client(str_starts_with($this->memcached->address, 'unix:') ? $this->memcached->address : "tcp://{$this->memcached->address}");
		fwrite($socket, "delete {$this->prefix}WANCache:{$this->key($id)}|#|v\r\n");
		return (int) (fgets($socket) === "DELETED\r\n");
	}

	/** @return array{int, int} rows that the cache holds, and those of them that are old */
	private function judge(): array
	{
		$database = $this->database();
		$held = $old = 0;
		for ($id = 0; $id < $this->rows; $id++) {
			$row = $this->wan()->get($this->key($id));
			$held += (int) ($row !== false);
			$old += (int) ($row !== false && $row['version'] !== $this->version($database, $id));
		}
		return [$held, $old];
	}

	private function version(\PDO $database, int $id): int
	{
		return (int) $database->query("SELECT version FROM rows WHERE id = $id")->fetchColumn();
	}

	/** At which all are so many seconds from now. */
	private function row(float $later = 0): int
	{
		return (int) floor((microtime(true) + $later - $this->begin) / self::SECONDS_A_ROW);
	}

	private function key(int $id): string
	{
		return "wiki:row:$id";
	}

	/** That of a new request. */
	private function wan(): \WANObjectCache
	{
		Pool::endRequest();
		return new \WANObjectCache(['cache' => ($this->bag)()]);
	}

	private function database(): \PDO
	{
		return new \PDO("sqlite:$this->folder/rows.sqlite", options: [\PDO::ATTR_TIMEOUT => 30]);
	}
}
