<?php
/* SPDX-License-Identifier: MIT */

declare(strict_types=1);

use App\ArticleController;
use Illuminate\Support\Facades\Route;

Route::controller(ArticleController::class)->group(function (): void {
	Route::get('/front', 'front');
	Route::get('/article/{id}', 'article');
	Route::get('/section/{section}', 'section');
	Route::get('/row/{id}', 'row');
	Route::get('/edit/{id}', 'edit');
	Route::get('/drop/{id}', 'drop');
});
