// What the server says and hears, written from its Rust types by `UPDATE=1 cargo test -p studio bindings`.

/**
 * What an error looks like as JSON.
 */
export type Problem = { 
/**
 * One sentence.
 */
error: string, };

/**
 * A weight and its new values.
 */
export type Edit = { param: number, mg: number, eg: number, };

/**
 * Weights by name, with some of them changed.
 */
export type Choice = { 
/**
 * A preset, a file of the user's, or saved weights.
 */
base: string, 
/**
 * What is changed.
 */
edits: Array<Edit>, };

/**
 * Weights that can be chosen.
 */
export type WeightsName = { name: string, origin: 'preset' | 'file' | 'saved', description: string, };

/**
 * How well weights are known.
 */
export type Evidence = { 
/**
 * By weight: its standard error, if it was tuned.
 */
mg_errors: Array<number | null>, 
/**
 * By weight: its standard error, if it was tuned.
 */
eg_errors: Array<number | null>, 
/**
 * Weights that no position had, by number.
 */
unseen: Array<number>, };

/**
 * All numbers of some weights.
 */
export type WeightsDetails = { name: string, description: string, provenance: { [key in string]: string }, 
/**
 * Internal units per displayed pawn.
 */
unit: number, 
/**
 * By weight.
 */
mg: Array<number>, 
/**
 * By weight.
 */
eg: Array<number>, evidence: Evidence | null, };

/**
 * Weights to keep under a name.
 */
export type SaveRequest = { name: string, description: string, weights: Choice, };

/**
 * A weights file to keep.
 */
export type ImportRequest = { name: string, 
/**
 * The file's text.
 */
text: string, };

/**
 * How weights are drawn.
 */
export type PanelKind = "squares" | "bars" | "curve";

/**
 * Some weights of a term that are drawn together.
 */
export type Panel = { 
/**
 * What tells it from the other panels of its term.
 */
title: string, 
/**
 * How it is drawn.
 */
kind: PanelKind, 
/**
 * The number of its first weight.
 */
start: number, 
/**
 * What each weight is for.
 */
labels: Array<string>, };

/**
 * A term.
 */
export type CatalogueTerm = { name: string, 
/**
 * One sentence.
 */
doc: string, group: string, 
/**
 * Which sum it adds to.
 */
channel: 'score' | 'king' | 'danger', panels: Array<Panel>, };

/**
 * All terms.
 */
export type Catalogue = { 
/**
 * The program's version.
 */
version: string, 
/**
 * How many weights there are.
 */
params: number, 
/**
 * The groups, in order.
 */
groups: Array<string>, terms: Array<CatalogueTerm>, 
/**
 * How many threads this machine runs at once.
 */
threads: number, 
/**
 * The weakest and the strongest level that the engine can be limited to.
 */
elo: [number, number], };

/**
 * A position and the game that led to it.
 */
export type GameSoFar = { 
/**
 * Where it began.
 */
fen: string, 
/**
 * The moves since, as UCI writes them.
 */
moves: Array<string>, };

/**
 * Text with a game in it.
 */
export type PgnText = { text: string, };

/**
 * A game that was read.
 */
export type PgnGame = { 
/**
 * Where it began.
 */
fen: string, 
/**
 * Its moves, as UCI writes them.
 */
moves: Array<string>, 
/**
 * Its tags.
 */
tags: Array<[string, string]>, };

/**
 * A position to evaluate, and with what.
 */
export type TraceRequest = { fen: string, weights: Choice, };

/**
 * One side's part in a row.
 */
export type ExplainedSide = { 
/**
 * The middlegame sum, in the weights' units.
 */
mg: number, 
/**
 * The endgame sum, in the weights' units.
 */
eg: number, 
/**
 * How often it was found.
 */
count: number, };

/**
 * A term with its share.
 */
export type ExplainedRow = { 
/**
 * The term, or what composition did.
 */
term: string, 
/**
 * Its group.
 */
group: string, 
/**
 * White's sum.
 */
white: ExplainedSide, 
/**
 * Black's sum, in Black's view.
 */
black: ExplainedSide, 
/**
 * Its share in centipawns, White's view.
 */
cp: number, };

/**
 * Something that was found.
 */
export type ExplainedFinding = { 
/**
 * The term.
 */
term: string, 
/**
 * The place of its weight among all weights.
 */
param: number, 
/**
 * The weight's name, such as `piece_square.knight.d4`.
 */
label: string, 
/**
 * `white` or `black`.
 */
color: 'white' | 'black', 
/**
 * The square, if it belongs to one.
 */
square: string | null, 
/**
 * How often.
 */
count: number, 
/**
 * The weight, once.
 */
mg: number, 
/**
 * The weight, once.
 */
eg: number, 
/**
 * Its share in centipawns, White's view.
 */
cp: number, };

/**
 * An evaluation, opened. The shares of its rows add up to `white_cp`.
 */
export type Explanation = { 
/**
 * The position.
 */
fen: string, 
/**
 * The weights' name.
 */
weights: string, 
/**
 * How much of the middlegame is left, of 256.
 */
phase: number, 
/**
 * The evaluation in centipawns, White's view: the number that the search uses.
 */
white_cp: number, 
/**
 * `checkmate`, `stalemate` or `draw`, where the game is over.
 */
outcome: string | null, 
/**
 * Whether the side to move is in check.
 */
check: boolean, 
/**
 * What it is made of.
 */
rows: Array<ExplainedRow>, 
/**
 * For each square, a1 to h8: what the piece there contributes, White's view.
 */
squares: Array<number>, 
/**
 * All that was found, one by one.
 */
findings: Array<ExplainedFinding>, };

/**
 * A game to evaluate move by move, and with what.
 */
export type GraphRequest = { game: GameSoFar, weights: Choice, };

/**
 * What a position is made of, group by group.
 */
export type GraphPoint = { white_cp: number, phase: number, 
/**
 * By group, in the order of the catalogue: its share in centipawns, White's view.
 */
groups: Array<[string, number]>, };

/**
 * The static evaluation over a game: before the first move, then after each.
 */
export type Graph = { points: Array<GraphPoint>, };

/**
 * A line that a search found.
 */
export type Line = { 
/**
 * Which of the wanted lines, from 1.
 */
rank: number, depth: number, 
/**
 * The deepest line's depth.
 */
deepest: number, 
/**
 * The value in centipawns, White's view.
 */
white_cp: number, 
/**
 * Moves to mate, positive if White mates.
 */
mate: number | null, 
/**
 * Whether the value is known or a bound for the side to move.
 */
bound: 'exact' | 'lower' | 'upper', 
/**
 * White's chances to win, draw and lose, in thousandths.
 */
wdl: [number, number, number], 
/**
 * The moves, as UCI writes them.
 */
moves: Array<string>, 
/**
 * The moves, as people write them.
 */
san: Array<string>, };

/**
 * Two moves to compare.
 */
export type CompareRequest = { fen: string, 
/**
 * The moves, as UCI writes them.
 */
moves: [string, string], weights: Choice, 
/**
 * How many nodes each is searched.
 */
nodes: number, };

/**
 * What comes of a move.
 */
export type Branch = { 
/**
 * The move, as people write it.
 */
san: string, 
/**
 * What a search of this move alone found.
 */
line: Line, 
/**
 * The evaluation at the end of that line.
 */
end: Explanation, };

/**
 * Two moves compared.
 */
export type Comparison = { branches: Array<Branch>, };

/**
 * Weights whose effect is wanted.
 */
export type EffectRequest = { fen: string, weights: Choice, 
/**
 * How many nodes are searched for the best move.
 */
nodes: number, };

/**
 * What weights say of a position.
 */
export type Effect = { 
/**
 * The static evaluation in centipawns, White's view.
 */
white_cp: number, 
/**
 * The best move as UCI writes it; nothing where the game is over.
 */
best: string | null, 
/**
 * What the search found.
 */
line: Line | null, };

/**
 * How the engine is set up for a question.
 */
export type Setup = { weights: Choice, threads: number, 
/**
 * Megabytes.
 */
hash: number, 
/**
 * How many lines are wanted.
 */
lines: number, 
/**
 * The strength to be limited to; nothing for full strength.
 */
elo: number | null, };

/**
 * The clocks of a game, in milliseconds.
 */
export type Clocks = { white: number, black: number, increment: number, };

/**
 * What a tab asks. `id` comes back with every answer.
 */
export type Question = { "type": "analyse", id: number, game: GameSoFar, setup: Setup, } | { "type": "play", id: number, game: GameSoFar, setup: Setup, clocks: Clocks, } | { "type": "review", id: number, game: GameSoFar, setup: Setup, nodes: number, } | { "type": "stop" };

/**
 * What a tab is told.
 */
export type Answer = { "type": "thinking", id: number, nodes: number, nps: number, milliseconds: number, 
/**
 * How full the table is, in thousandths.
 */
fullness: number, lines: Array<Line>, 
/**
 * Whether the search is over.
 */
is_over: boolean, } | { "type": "played", id: number, uci: string, line: Line, milliseconds: number, } | { "type": "reviewed", id: number, ply: number, line: Line | null, } | { "type": "done", id: number, } | { "type": "problem", id: number | null, error: string, };

/**
 * Which runs are wanted.
 */
export type RunsQuery = { 
/**
 * Of this kind only.
 */
kind: string | null, 
/**
 * The newest so many.
 */
last: number | null, };

/**
 * A run in a list.
 */
export type RunSummary = { id: number, 
/**
 * The command that made it, such as `match`.
 */
kind: string, 
/**
 * `running`, `paused`, `stopped`, `finished`, `failed` or `interrupted`.
 */
status: string, 
/**
 * What somebody wants of it: `none`, `pause` or `stop`.
 */
request: 'none' | 'pause' | 'stop', 
/**
 * Milliseconds since 1970.
 */
created: number, 
/**
 * Milliseconds since 1970.
 */
updated: number, games: number, engines: Array<string>, 
/**
 * How it goes or what came out.
 */
sentence: string, 
/**
 * Whether its process lives.
 */
is_alive: boolean, 
/**
 * Whether it can be asked to pause.
 */
can_pause: boolean, 
/**
 * Whether it can be gone on with from here.
 */
can_resume: boolean, };

/**
 * An engine of a run.
 */
export type RunEngineDetails = { name: string, 
/**
 * How it may think.
 */
limit: string, options: Array<[string, string]>, };

/**
 * A difference of strength with its 95 % error.
 */
export type EloEstimate = { elo: number, error: number, 
/**
 * How likely the first engine is the stronger one.
 */
los: number, };

/**
 * Two engines' games, in the first one's view.
 */
export type Pairing = { 
/**
 * The engines by their numbers.
 */
engines: [number, number], wins: number, draws: number, losses: number, 
/**
 * Whole pairs by points: 0, ½, 1, 1½, 2.
 */
ptnml: [number, number, number, number, number], estimate: EloEstimate | null, };

/**
 * A sequential test.
 */
export type Test = { elo0: number, elo1: number, 
/**
 * Where it ends.
 */
bounds: [number, number], llr: number, 
/**
 * `H0`, `H1` or nothing yet.
 */
verdict: 'H0' | 'H1' | null, };

/**
 * How a match stood after some games.
 */
export type Moment = { games: number, elo: number, error: number, llr: number | null, };

/**
 * What the games of a run come to.
 */
export type Digest = { 
/**
 * Who met whom, in the order of the engines.
 */
pairings: Array<Pairing>, 
/**
 * The sequential test, if there is one.
 */
sprt: Test | null, 
/**
 * Of a match of two: how it went, pair by pair.
 */
history: Array<Moment>, 
/**
 * Of a ladder: the rating by all games.
 */
rating: [number, number] | null, 
/**
 * Games in which an engine broke down or broke a rule.
 */
incidents: number, };

/**
 * All that is known of a run.
 */
export type RunDetails = { summary: RunSummary, 
/**
 * The program's arguments.
 */
command: Array<string>, directory: string, 
/**
 * In decimal.
 */
seed: string, version: string, engines: Array<RunEngineDetails>, 
/**
 * What its games come to.
 */
digest: Digest, 
/**
 * The names of its curves.
 */
curves: Array<string>, };

/**
 * A named number as it changed.
 */
export type CurveData = { name: string, 
/**
 * Step and value.
 */
points: Array<[number, number]>, };

/**
 * Which games are wanted.
 */
export type GamesQuery = { 
/**
 * From the nth on, counted from 0.
 */
from: number, 
/**
 * So many.
 */
count: number | null, };

/**
 * A game in the list.
 */
export type GameSummary = { pair: number, game: number, 
/**
 * The engines by their numbers.
 */
white: number, 
/**
 * The engines by their numbers.
 */
black: number, 
/**
 * As PGN writes it.
 */
result: string, reason: string, is_incident: boolean, };

/**
 * Some games of a run.
 */
export type GamesPage = { 
/**
 * How many there are in all.
 */
total: number, games: Array<GameSummary>, };

/**
 * A game, move by move.
 */
export type GameDetails = { white: string, black: string, result: string, reason: string, 
/**
 * Where it began.
 */
fen: string, 
/**
 * The moves, as UCI writes them.
 */
moves: Array<string>, 
/**
 * By move: the engine's score in centipawns, White's view; a mate counts 10000.
 */
scores: Array<number | null>, 
/**
 * By move: seconds.
 */
seconds: Array<number>, };

/**
 * The runs as they are now, the newest first.
 */
export type Live = { runs: Array<RunSummary>, };

/**
 * Who plays.
 */
export type Player = { name: string, weights: Choice, };

/**
 * A match of some weights against others.
 */
export type MatchRequest = { first: Player, second: Player, 
/**
 * Nodes a move; if nothing, the clock decides.
 */
nodes: number | null, 
/**
 * A clock such as 8+0.08.
 */
clock: string | null, 
/**
 * Pairs of games at most.
 */
rounds: number, concurrency: number, 
/**
 * The hypotheses of a sequential test.
 */
sprt: [number, number] | null, seed: number, };

/**
 * A run that was begun.
 */
export type Started = { run: number, };

/**
 * What can be wanted of a run.
 */
export type Action = "pause" | "resume" | "stop";

/**
 * What somebody wants of a run.
 */
export type RunRequest = { action: Action, };
