"""Annotated games as python-chess reads them.

`make test` installs python-chess beside the build and runs this; PROGRAM names the program.
"""

import io
import os
import subprocess
import tempfile
import unittest

import chess.pgn

PROGRAM = os.environ.get("PROGRAM", "target/debug/marquetry")

GAMES = """[Event "one"]
[White "Müller"]
[Result "1-0"]

{ first } 1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 $6 {he overlooks it} (3... g6 4. Qf3 (4. Qd1 $1) 4... Nf6) 4. Qxf7# 1-0

[Event "two"]

1. e4 e5 2. Ke4 *

[Event "Chess960"]
[FEN "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"]
[SetUp "1"]
[Variant "Chess960"]
[Result "*"]

1. O-O-O O-O 2. d3 *
"""


class Annotated(unittest.TestCase):
    def analysed(self, encoding, mark=b""):
        with tempfile.NamedTemporaryFile(suffix=".pgn") as file:
            file.write(mark + GAMES.encode(encoding))
            file.flush()
            command = [PROGRAM, "analyse", file.name, "--nodes", "2000", "--jobs", "2"]
            done = subprocess.run(command, capture_output=True, check=True)
        self.assertIn(b"game 2 (line 7): Ke4 is not legal at ply 3", done.stderr)
        return done.stdout.decode("utf-8")

    def test_annotated_games_are_read_back_without_error(self):
        for encoding, mark in (("utf-8", b""), ("utf-8", b"\xef\xbb\xbf"), ("latin-1", b"")):
            text = io.StringIO(self.analysed(encoding, mark))
            games = []
            while (game := chess.pgn.read_game(text)) is not None:
                self.assertEqual(game.errors, [])
                games.append(game)
            self.assertEqual(len(games), 2)
            first = games[0]
            self.assertEqual(first.headers["White"], "Müller")
            self.assertEqual(sum(1 for _ in first.mainline()), 7)
            nodes = list(first.mainline())
            self.assertTrue(all(node.eval() is not None for node in nodes[:-1]))
            self.assertEqual(nodes[5].eval().white().mate(), 1)
            self.assertIn(chess.pgn.NAG_BLUNDER, nodes[5].nags)
            self.assertGreaterEqual(len(nodes[4].variations), 3)


if __name__ == "__main__":
    unittest.main()
