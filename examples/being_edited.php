<?php
/* Shows which articles are being edited, to warn a second editor:
 *
 *     php -d mcpatterns.servers=10.0.0.5:11211 being_edited.php open 42     an editor opens an article
 *     php -d mcpatterns.servers=10.0.0.5:11211 being_edited.php close 42
 *     php -d mcpatterns.servers=10.0.0.5:11211 being_edited.php             lists the open articles
 *
 * A second editor is only warned. To exclude a second editor, use a Lock. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{MemberSet, Pool, ServerException};

/** A set for each quarter of an hour, so that an editor who closed the browser is dropped after a while. */
function open_articles(int $quarters_ago = 0): MemberSet
{
    return new MemberSet(Pool::default(), 'being-edited-' . (intdiv(time(), 900) - $quarters_ago), ttl: 1860);
}

/** The articles of this quarter and the previous quarter. An open editor repeats its entry every few minutes.
 * @return list<string> */
function being_edited(): array
{
    return array_values(array_unique([...open_articles(1)->members(), ...open_articles()->members()]));
}

[, $what, $article] = $argv + [1 => 'list', 2 => ''];
try {
    match ($what) {
        'open' => print(in_array($article, being_edited(), true) ? "somebody is editing article $article\n" : "article $article is yours\n"),
        'close' => array_map(fn (int $ago) => open_articles($ago)->remove($article), [0, 1]),
        default => print(implode(', ', being_edited()) . "\n"),
    };
    if ($what === 'open') {
        open_articles()->add($article);
    }
} catch (ServerException) {
    echo "nobody knows who is editing\n";
}
