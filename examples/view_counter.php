<?php
/* Page views, counted in memcached at each request and written to a database now and then.
 *
 *     php view_counter.php view 42                   at each request: one round trip, no database
 *     php view_counter.php save views.sqlite 42 43   from cron: adds what came since to the database
 *     php view_counter.php show views.sqlite 42      what the database has, and what is on its way
 *
 * What memcached loses (an eviction, a restart) is at most what came since the last save. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{Counter, Pool};

function views_of(string $article): Counter
{
    return new Counter(Pool::default(), "views:$article");
}

function open_database(string $file): PDO
{
    $database = new PDO("sqlite:$file", options: [PDO::ATTR_ERRMODE => PDO::ERRMODE_EXCEPTION]);
    $database->exec('CREATE TABLE IF NOT EXISTS views (article TEXT PRIMARY KEY, number INTEGER NOT NULL)');
    return $database;
}

function saved_views(PDO $database, string $article): int
{
    $query = $database->prepare('SELECT number FROM views WHERE article = ?');
    $query->execute([$article]);
    return (int) $query->fetchColumn();
}

// When the database refuses, its exception goes on and the number is back in memcached: nothing is lost,
// and nothing is written twice.
function save(PDO $database, string $article): int
{
    return views_of($article)->drain(function (int $new) use ($database, $article): void {
        $database->prepare('INSERT INTO views (article, number) VALUES (:article, :new)
                ON CONFLICT (article) DO UPDATE SET number = number + :new')
            ->execute(['article' => $article, 'new' => $new]);
    });
}

$arguments = array_slice($argv, 1);
switch (array_shift($arguments)) {
    case 'view':
        echo 'since the last save: ', views_of($arguments[0])->increment(), "\n";
        break;
    case 'save':
        $database = open_database(array_shift($arguments));
        foreach ($arguments as $article) {
            echo "$article: ", save($database, $article), " new\n";
        }
        break;
    case 'show':
        [$file, $article] = $arguments;
        echo "$article: ", saved_views(open_database($file), $article) + views_of($article)->value(), " views\n";
        break;
    default:
        exit("view ARTICLE | save FILE ARTICLE... | show FILE ARTICLE\n");
}
