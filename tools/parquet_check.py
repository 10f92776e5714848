#!/usr/bin/env python3
"""Compares the tree of many positions as DuckDB reads it from the Parquet export with the answer of `yipu tree`.

    pip install duckdb
    yipu db export --db DB --to parquet -o TABLES
    python3 tools/parquet_check.py YIPU DB TABLES [POSITIONS]

Positions are taken from games of the table, after 0 to all of their plies, games with a start of their own among them.
The program answers from its own index and proves every game on the board; DuckDB counts rows with an equal key. Ends with 1
if one number differs.
"""

import json
import random
import subprocess
import sys
import time

import duckdb

TREE = """
SELECT p.move, count(*), count(*) FILTER (g.result = '1-0'), count(*) FILTER (g.result = '1/2-1/2'),
       count(*) FILTER (g.result = '0-1'), count(*) FILTER (g.result = '*'), coalesce(max(g.year), 0)
FROM positions p JOIN games g ON g.id = p.game WHERE p.key = ? GROUP BY p.move
"""


def main() -> int:
    yipu, database, tables = sys.argv[1:4]
    wanted = int(sys.argv[4]) if len(sys.argv) > 4 else 100
    db = duckdb.connect()
    db.execute(f"CREATE VIEW games AS SELECT * FROM read_parquet('{tables}/games.parquet')")
    db.execute(f"CREATE VIEW positions AS SELECT * FROM read_parquet('{tables}/positions/*.parquet')")
    games, plies = db.execute("SELECT count(*), max(plies) FROM games").fetchone()
    rows = db.execute("SELECT count(*) FROM positions").fetchone()[0]
    print(f"{games} games, {rows} rows of positions, longest game {plies} plies")
    for file in sorted(db.execute(f"SELECT file FROM glob('{tables}/positions/*.parquet')").fetchall()):
        disorder = db.execute(
            f"SELECT count(*) FROM (SELECT key, game, lag(key) OVER () k, lag(game) OVER () g FROM read_parquet('{file[0]}')) "
            "WHERE k > key OR (k = key AND g >= game)"
        ).fetchone()[0]
        if disorder:
            print(f"{file[0]}: {disorder} rows out of order")
            return 1
    chance = random.Random(20260101)
    ids = [row[0] for row in db.execute("SELECT id FROM games WHERE plies > 0 ORDER BY id").fetchall()]
    differing, checked, seconds = 0, 0, 0.0
    while checked < wanted:
        game = chance.choice(ids)
        start, moves = db.execute("SELECT start, moves FROM games WHERE id = ?", [game]).fetchone()
        moves = moves.split()
        # Early plies are shared by many games, late ones by few.
        ply = chance.randrange(len(moves) + 1) if checked % 2 else chance.randrange(min(len(moves), 12) + 1)
        key = db.execute("SELECT key FROM positions WHERE game = ? AND ply = ?", [game, ply]).fetchone()
        if key is None:  # the position stood earlier in the game
            continue
        begin = time.perf_counter()
        found = db.execute(TREE, [key[0]]).fetchall()
        seconds += time.perf_counter() - begin
        arguments = [yipu, "tree", "--db", database, "--fen", start, "--moves", " ".join(moves[:ply]), "--json"]
        answer = json.loads(subprocess.run(arguments, stdout=subprocess.PIPE, check=True).stdout)
        theirs = {row[0]: row[1:] for row in found}
        ended = theirs.pop(None, (0,) * 6)
        ours = {
            line["uci"]: tuple(line[name] for name in ("games", "red_wins", "draws", "black_wins", "unknown"))
            + (line["last_year"] or 0,)
            for line in answer["moves"]
        }
        totals = [sum(column) for column in zip(*[row[:5] for row in theirs.values()], ended[:5])]
        same = (
            theirs == ours
            and ended[0] == answer["ended"]
            and totals == [answer[name] for name in ("games", "red_wins", "draws", "black_wins", "unknown")]
        )
        if not same:
            differing += 1
            print(f"game {game}, ply {ply}, {answer['fen']}:\n  tables {theirs}, ended {ended}\n  yipu   {ours}")
        checked += 1
    print(f"{checked} positions, {differing} differ; DuckDB took {1000 * seconds / checked:.1f} ms a position")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
