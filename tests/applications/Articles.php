<?php
/* The database of both applications: articles in sections, each with a number that grows by every edit. A query takes 50 ms, in
 * which its rows may change, and leaves a line in a journal. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace App;

final class Articles
{
	private const QUERY_US = 50_000;

	private readonly \PDO $database;

	public function __construct(string $file, private readonly string $journal)
	{
		$this->database = new \PDO("sqlite:$file", options: [\PDO::ATTR_TIMEOUT => 20, \PDO::ATTR_DEFAULT_FETCH_MODE => \PDO::FETCH_ASSOC]);
	}

	public function make(int $articles, int $sections): void
	{
		$this->database->exec('PRAGMA journal_mode = WAL; CREATE TABLE article (id INTEGER PRIMARY KEY, section INTEGER, version INTEGER)');
		$insert = $this->database->prepare('INSERT INTO article VALUES (?, ?, 0)');
		for ($id = 1; $id <= $articles; $id++) {
			$insert->execute([$id, $id % $sections]);
		}
	}

	/** @return array{id: int, section: int, version: int} */
	public function one(int $id): array
	{
		return $this->slowly("article $id", fn (): array => $this->rows('id = ?', $id)[0]);
	}

	/** @return list<array{id: int, section: int, version: int}> */
	public function ofSection(int $section): array
	{
		return $this->slowly("section $section", fn (): array => $this->rows('section = ?', $section));
	}

	/** What nobody ever edits, and every visitor sees. @return array{articles: int} */
	public function front(): array
	{
		return $this->slowly('front', fn (): array => ['articles' => count($this->rows('id >= ?', 0))]);
	}

	/** @return array{id: int, section: int, version: int} as it is now */
	public function edit(int $id): array
	{
		$this->database->prepare('UPDATE article SET version = version + 1 WHERE id = ?')->execute([$id]);
		return $this->rows('id = ?', $id)[0];
	}

	/** @return list<array{id: int, section: int, version: int}> */
	public function rows(string $condition, int $number): array
	{
		$query = $this->database->prepare("SELECT id, section, version FROM article WHERE $condition ORDER BY id");
		$query->execute([$number]);
		return $query->fetchAll();
	}

	private function slowly(string $page, callable $query): array
	{
		$begun = hrtime(true);
		$rows = $query();
		usleep(self::QUERY_US);
		file_put_contents($this->journal, sprintf("%s\t%d\t%d\n", $page, $begun, hrtime(true)), FILE_APPEND | LOCK_EX);
		return $rows;
	}
}
