<?php
/* Nothing here knows whose caches these are: config/packages says it. */
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

namespace App;

use Psr\Cache\CacheItemPoolInterface;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpKernel\Attribute\AsController;
use Symfony\Component\Routing\Attribute\Route;
use Symfony\Contracts\Cache\{ItemInterface, TagAwareCacheInterface};

#[AsController]
final class ArticleController
{
	private const FRONT_TTL = 1;
	private const TTL = 60;

	/** By their names the caches are the pools pages.cache and rows.cache. */
	public function __construct(
		private readonly Articles $articles,
		private readonly TagAwareCacheInterface $pagesCache,
		private readonly CacheItemPoolInterface $rowsCache,
	) {
	}

	#[Route('/front')]
	public function front(): JsonResponse
	{
		return new JsonResponse($this->pagesCache->get('front', function (ItemInterface $item): array {
			$item->expiresAfter(self::FRONT_TTL);
			return $this->articles->front();
		}));
	}

	#[Route('/article/{id}')]
	public function article(int $id): JsonResponse
	{
		return new JsonResponse($this->pagesCache->get("article.$id", function (ItemInterface $item) use ($id): array {
			$item->expiresAfter(self::TTL);
			return $this->articles->one($id);
		}));
	}

	#[Route('/section/{section}')]
	public function section(int $section): JsonResponse
	{
		return new JsonResponse($this->pagesCache->get("section.$section", function (ItemInterface $item) use ($section): array {
			$item->expiresAfter(self::TTL);
			$item->tag("section.$section");
			return $this->articles->ofSection($section);
		}));
	}

	/** As it is often written. What was read before an edit is not stored after it where the pool is guarded. */
	#[Route('/row/{id}')]
	public function row(int $id): JsonResponse
	{
		$item = $this->rowsCache->getItem("row.$id");
		if (!$item->isHit()) {
			$this->rowsCache->save($item->set($this->articles->one($id))->expiresAfter(self::TTL));
		}
		return new JsonResponse($item->get());
	}

	#[Route('/edit/{id}')]
	public function edit(int $id): JsonResponse
	{
		$article = $this->articles->edit($id);
		return new JsonResponse(['saved' => $article['version'], 'dropped' => $this->isDropped($article)]);
	}

	/** Says again what a server could not be told of an edit. */
	#[Route('/drop/{id}')]
	public function drop(int $id): JsonResponse
	{
		return new JsonResponse(['dropped' => $this->isDropped($this->articles->rows('id = ?', $id)[0])]);
	}

	/**
	 * Deletes whatever shows the article. A deletion is false only where a server has failed of it, not where nothing was there.
	 *
	 * @param array{id: int, section: int, version: int} $article
	 */
	private function isDropped(array $article): bool
	{
		$deletions = [
			$this->pagesCache->delete("article.{$article['id']}"),
			$this->rowsCache->deleteItem("row.{$article['id']}"),
			$this->pagesCache->invalidateTags(["section.{$article['section']}"]),
		];
		return !in_array(false, $deletions, true);
	}
}
