"""Games of a match as python-chess reads them, beside what the store has of them."""

import io
import json
import os
import subprocess
import tempfile
import unittest

import chess.pgn

PROGRAM = os.environ.get("PROGRAM", "target/debug/marquetry")


class Games(unittest.TestCase):
    def play(self, folder, *more):
        store, pgn = os.path.join(folder, "runs.db"), os.path.join(folder, "games.pgn")
        match = [PROGRAM, "match", "--engine", "self", "--engine", "self", "weights=simplified", "name=\"odd\\name"]
        options = ["--rounds", "3", "--concurrency", "2", "--pgn", pgn, "--store", store, "--json"]
        report = json.loads(subprocess.run(match + options + list(more), check=True, capture_output=True).stdout)
        export = [PROGRAM, "runs", "export", str(report["run"]), "--json", "--store", store]
        lines = subprocess.run(export, check=True, capture_output=True, text=True).stdout.splitlines()
        with open(pgn, encoding="utf-8") as file:
            text = io.StringIO(file.read())
        games = []
        while (game := chess.pgn.read_game(text)) is not None:
            games.append(game)
        return report, games, [json.loads(line) for line in lines]

    def check(self, *more):
        with tempfile.TemporaryDirectory() as folder:
            report, games, stored = self.play(folder, *more)
        self.assertEqual(report["games"], 6)
        self.assertEqual(report["incidents"], [])
        self.assertEqual(len(games), 6)
        by_round = {game.headers["Round"]: game for game in games}
        for kept in stored:
            game = by_round[f"{kept['pair'] + 1}.{kept['game'] + 1}"]
            self.assertEqual(game.errors, [])
            self.assertEqual(game.headers["Result"], kept["result"])
            self.assertEqual(game.headers["Termination"], kept["reason"])
            # python-chess leaves the escapes of PGN as they are
            self.assertEqual(game.headers["White"], kept["white"].replace("\\", "\\\\").replace('"', '\\"'))
            self.assertEqual(game.board().fen(), chess.Board(kept["opening"], chess960=game.board().chess960).fen())
            nodes = list(game.mainline())
            self.assertEqual(len(nodes), len(kept["moves"]))
            for node, move in zip(nodes, kept["moves"]):
                self.assertEqual(node.move.uci(), move["move"])
                score, seconds = node.comment.split(",")[0].split(" ")
                mate, cp = move["mate"], move["cp"]
                shown = f"{'-' if mate < 0 else '+'}M{abs(mate)}" if cp is None else f"{cp / 100:+.2f}"
                self.assertEqual(score, f"{shown}/{move['depth']}")
                self.assertAlmostEqual(float(seconds.rstrip("s")), move["seconds"], delta=0.0006)

    def test_by_nodes(self):
        self.check("--nodes", "500")

    def test_by_the_clock(self):
        self.check("--tc", "0.3+0.01")


if __name__ == "__main__":
    unittest.main()
