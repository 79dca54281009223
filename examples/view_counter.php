<?php
/* Page views, counted in memcached at each request and written to a database now and then.
 *
 *     php view_counter.php view 42                   at each request: one round trip, no database
 *     php view_counter.php save views.sqlite 42 43   from cron: adds what came since to the database
 *     php view_counter.php show views.sqlite 42      what the database has, and what is on its way
 *
 * What memcached loses (an eviction, a restart) is at most what came since the last save. A save that is
 * killed in the moment between taking from the counter and the COMMIT loses what it took. */
/* SPDX-License-Identifier: MIT */

use McPatterns\{Counter, Pool};

/** Where memcached is away a page is shown all the same: it counts nothing, and shows what the database has. */
function views_of(string $article): Counter
{
    return new Counter(Pool::default(), "views:$article", whenDown: 0);
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

// First the database, then the counter: whoever has to wait for the database, or is killed meanwhile, has
// taken nothing yet. And the whole of it is one transaction, so that when the database refuses at the end,
// its exception goes on, the number is back in memcached, and nothing is lost or written twice.
function save(PDO $database, string $article): int
{
    // EXCLUSIVE: readers would make the COMMIT wait.
    $database->exec('BEGIN EXCLUSIVE');
    try {
        $new = views_of($article)->drain(function (int $new) use ($database, $article): void {
            $database->prepare('INSERT INTO views (article, number) VALUES (:article, :new)
                    ON CONFLICT (article) DO UPDATE SET number = number + :new')
                ->execute(['article' => $article, 'new' => $new]);
            $database->exec('COMMIT');
        });
    } catch (Throwable $failure) {
        $database->exec('ROLLBACK');
        throw $failure;
    }
    if ($new === 0) {
        $database->exec('ROLLBACK');
    }
    return $new;
}

$arguments = array_slice($argv, 1);
switch (array_shift($arguments)) {
    case 'view':
        echo 'since the last save: ', views_of($arguments[0])->increment(), "\n";
        break;
    case 'save':
        $database = open_database((string) array_shift($arguments));
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
