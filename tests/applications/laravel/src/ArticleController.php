<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace App;

use Illuminate\Contracts\Cache\Repository;
use Illuminate\Support\Facades\Cache;
use McPatterns\Adapters\Laravel\Store;

final class ArticleController
{
	private const FRONT_TTL = 1;
	private const TTL = 60;

	public function __construct(private readonly Articles $articles)
	{
	}

	/** @return array{articles: int} */
	public function front(): array
	{
		return Cache::remember('front', self::FRONT_TTL, fn (): array => $this->articles->front());
	}

	/** @return array{id: int, section: int, version: int} */
	public function article(int $id): array
	{
		return Cache::remember("article.$id", self::TTL, fn (): array => $this->articles->one($id));
	}

	/** @return list<array{id: int, section: int, version: int}> */
	public function section(int $section): array
	{
		return Cache::tags("section.$section")->remember("section.$section", self::TTL, fn (): array => $this->articles->ofSection($section));
	}

	/**
	 * As it is often written. What was read before an edit is not stored after it where the store is guarded.
	 *
	 * @return array{id: int, section: int, version: int}
	 */
	public function row(int $id): array
	{
		$rows = Cache::store('rows');
		$row = $rows->get("row.$id");
		if ($row === null) {
			$rows->put("row.$id", $row = $this->articles->one($id), self::TTL);
		}
		return $row;
	}

	/** @return array{saved: int, dropped: bool} */
	public function edit(int $id): array
	{
		$article = $this->articles->edit($id);
		return ['saved' => $article['version'], 'dropped' => $this->isDropped($article)];
	}

	/** Says again what a server could not be told of an edit. @return array{dropped: bool} */
	public function drop(int $id): array
	{
		return ['dropped' => $this->isDropped($this->articles->rows('id = ?', $id)[0])];
	}

	/**
	 * Deletes whatever shows the article.
	 *
	 * @param array{id: int, section: int, version: int} $article
	 * @return bool false where a server has failed of it
	 */
	private function isDropped(array $article): bool
	{
		$deletions = [
			$this->isForgotten(Cache::store(), "article.{$article['id']}"),
			$this->isForgotten(Cache::store('rows'), "row.{$article['id']}"),
			$this->isFlushed("section.{$article['section']}"),
		];
		return !in_array(false, $deletions, true);
	}

	/** Laravel's forget() says whether there was something. Whether a server has failed of it, only what is below says. */
	private function isForgotten(Repository $cache, string $key): bool
	{
		$store = $cache->getStore();
		if ($store instanceof Store) {
			return $store->cache()->delete($key);
		}
		return $store->forget($key) || $store->getMemcached()->getResultCode() === \Memcached::RES_NOTFOUND;
	}

	/** The adapters' flush() is false where a server has failed of it; Laravel's own is always true. */
	private function isFlushed(string $tag): bool
	{
		$isFlushed = Cache::tags($tag)->flush();
		$store = Cache::getStore();
		return $store instanceof Store ? $isFlushed : $store->getMemcached()->getResultCode() === \Memcached::RES_SUCCESS;
	}
}
