"""The engine as python-chess sees it: analysis, play with clocks, pondering, stopping, Chess960, options.

`make test` installs python-chess beside the build and runs this; PROGRAM names the engine.
"""

import os
import unittest

import chess
import chess.engine

PROGRAM = os.environ.get("PROGRAM", "target/debug/marquetry")


class WithEngine(unittest.TestCase):
    def setUp(self):
        self.engine = chess.engine.SimpleEngine.popen_uci([PROGRAM])

    def tearDown(self):
        self.engine.quit()

    def test_it_is_known_by_name_and_options(self):
        self.assertIn("Marquetry", self.engine.id["name"])
        for name in (
            "Hash", "Clear Hash", "Threads", "Ponder", "MultiPV", "Move Overhead", "UCI_Chess960", "UCI_ShowWDL",
            "UCI_AnalyseMode", "UCI_LimitStrength", "UCI_Elo", "EvalFile", "UsePSTInterpolation",
        ):
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
        # By nodes: on a busy machine a moment of time may not be enough to expect a reply
        first = self.engine.play(board, chess.engine.Limit(nodes=20000), ponder=True)
        self.assertIsNotNone(first.ponder)
        board.push(first.move)
        board.push(first.ponder)
        self.assertIn(self.engine.play(board, chess.engine.Limit(time=0.05)).move, board.legal_moves)

    def test_several_lines_come_in_order(self):
        lines = self.engine.analyse(chess.Board(), chess.engine.Limit(depth=8), multipv=4)
        self.assertEqual([line["multipv"] for line in lines], [1, 2, 3, 4])
        self.assertEqual(len({line["pv"][0] for line in lines}), 4)
        values = [line["score"].relative.score(mate_score=100000) for line in lines]
        self.assertEqual(values, sorted(values, reverse=True))

    def test_chances_sum_to_a_thousand(self):
        self.engine.configure({"UCI_ShowWDL": True})
        for fen in (chess.STARTING_FEN, "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"):
            wdl = self.engine.analyse(chess.Board(fen), chess.engine.Limit(depth=6))["wdl"].relative
            self.assertEqual(wdl.wins + wdl.draws + wdl.losses, 1000)

    def test_it_plays_a_weaker_game(self):
        self.engine.configure({"UCI_LimitStrength": True, "UCI_Elo": 1200})
        board = chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 40:
            result = self.engine.play(board, chess.engine.Limit(time=1), info=chess.engine.INFO_ALL)
            self.assertEqual(result.info["pv"][0], result.move)
            board.push(result.move)

    def test_threads_share_a_search(self):
        self.engine.configure({"Threads": 3, "Hash": 8})
        self.assertIsNotNone(self.engine.play(chess.Board(), chess.engine.Limit(time=0.1)).move)

    def test_a_ponder_miss_is_no_trouble(self):
        board = chess.Board()
        result = self.engine.play(board, chess.engine.Limit(time=0.05), ponder=True)
        board.push(result.move)
        board.push(next(move for move in board.legal_moves if move != result.ponder))
        self.assertIn(self.engine.play(board, chess.engine.Limit(time=0.05)).move, board.legal_moves)

    def test_only_the_moves_asked_for_are_searched(self):
        move = chess.Move.from_uci("a2a3")
        result = self.engine.play(chess.Board(), chess.engine.Limit(depth=4), root_moves=[move])
        self.assertEqual(result.move, move)

    def test_quit_in_mid_search_ends_the_program(self):
        engine = chess.engine.SimpleEngine.popen_uci([PROGRAM])
        engine.analysis(chess.Board()).get()
        engine.quit()
        self.assertEqual(engine.transport.get_returncode(), 0)


if __name__ == "__main__":
    unittest.main()
