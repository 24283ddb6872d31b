"""The engine as python-chess sees it: analysis, play with clocks, stopping, Chess960, options.

`make test` installs python-chess beside the build and runs this; PROGRAM names the engine.
"""

import os
import unittest

import chess
import chess.engine

PROGRAM = os.environ.get("PROGRAM", "target/release/marquetry")


class WithEngine(unittest.TestCase):
    def setUp(self):
        self.engine = chess.engine.SimpleEngine.popen_uci([PROGRAM])

    def tearDown(self):
        self.engine.quit()

    def test_it_is_known_by_name_and_options(self):
        self.assertIn("Marquetry", self.engine.id["name"])
        for name in ("Hash", "Ponder", "Move Overhead", "UCI_Chess960", "EvalFile", "UsePSTInterpolation"):
            self.assertIn(name, self.engine.options)

    def test_it_plays_a_game_with_clocks(self):
        board = chess.Board()
        clocks = {chess.WHITE: 2.0, chess.BLACK: 2.0}
        while not board.is_game_over(claim_draw=True) and board.ply() < 60:
            limit = chess.engine.Limit(
                white_clock=clocks[chess.WHITE], black_clock=clocks[chess.BLACK], white_inc=0.02, black_inc=0.02
            )
            result = self.engine.play(board, limit, info=chess.engine.INFO_ALL)
            self.assertIn(result.move, board.legal_moves)
            clocks[board.turn] += 0.02 - float(result.info.get("time", 0.0))
            self.assertGreater(clocks[board.turn], 0)
            board.push(result.move)

    def test_it_analyses_with_lines_that_can_be_played(self):
        board = chess.Board("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
        info = self.engine.analyse(board, chess.engine.Limit(depth=5))
        self.assertGreaterEqual(info["depth"], 5)
        self.assertLess(abs(info["score"].white().score()), 300)
        for move in info["pv"]:
            self.assertIn(move, board.legal_moves)
            board.push(move)

    def test_it_announces_a_mate(self):
        board = chess.Board("7k/8/8/8/8/8/R7/1R2K3 w - - 0 1")
        info = self.engine.analyse(board, chess.engine.Limit(depth=6))
        self.assertEqual(info["score"].white().mate(), 2)

    def test_an_endless_analysis_can_be_stopped(self):
        with self.engine.analysis(chess.Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 4:
                    break
            analysis.stop()
            self.assertIsNotNone(analysis.wait().move)

    def test_it_plays_chess960(self):
        board = chess.Board.from_chess960_pos(342)
        for _ in range(30):
            if board.is_game_over():
                break
            board.push(self.engine.play(board, chess.engine.Limit(nodes=2000)).move)
        self.assertTrue(board.is_valid())

    def test_options_take_effect(self):
        self.engine.configure({"Hash": 4, "EvalFile": "simplified", "Move Overhead": 20})
        self.assertIsNotNone(self.engine.play(chess.Board(), chess.engine.Limit(nodes=1000)).move)

    def test_it_may_ponder(self):
        board = chess.Board()
        first = self.engine.play(board, chess.engine.Limit(time=0.05), ponder=True)
        self.assertIsNotNone(first.ponder)
        board.push(first.move)
        board.push(first.ponder)
        self.assertIn(self.engine.play(board, chess.engine.Limit(time=0.05)).move, board.legal_moves)


if __name__ == "__main__":
    unittest.main()
