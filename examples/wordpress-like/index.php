<?php
/* A theme's front page. The transient's code is what any theme has: nothing in it knows of mcpatterns. */
/* SPDX-License-Identifier: MIT */

require __DIR__ . '/wordpress.php';

/** @return array{query: int, titles: list<string>} */
function query_posts_of_the_front_page(): array
{
    usleep(100_000);
    wp_cache_add('queries', 0, 'example');
    return ['query' => (int) wp_cache_incr('queries', 1, 'example'), 'titles' => ['Hello world!', 'Sample post']];
}

if (isset($_GET['queries'])) {
    exit(json_encode(wp_cache_get('queries', 'example')));
}
$posts = get_transient('front_posts');
if ($posts === false) {
    set_transient('front_posts', $posts = query_posts_of_the_front_page(), 1);
}
echo json_encode($posts);
