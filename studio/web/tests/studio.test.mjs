// A full path through each of the five views, with the numbers that must be seen there.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { PROGRAM, Studio, command, drag, launch, load, numberOf, open, squareAt, until } from './helper.mjs';

const MIDDLE = 'r1bq1rk1/pp3ppp/2n1pn2/3p4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9';
const GAME = '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1';
const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const studio = new Studio();
let browser;

before(async () => {
  [browser] = await Promise.all([launch(), studio.start()]);
});

after(async () => {
  await browser?.close();
  await studio.close();
});

test('the page is small and there at once', async () => {
  const files = [join(dist, 'index.html'), ...readdirSync(join(dist, 'assets')).map((name) => join(dist, 'assets', name))];
  const size = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  assert.ok(size < 300_000, `${size} bytes`);
  const { page, context } = await open(browser, studio.address);
  const times = [];
  for (let i = 0; i < 3; i++) {
    await page.reload();
    await page.locator('cg-board piece').first().waitFor();
    times.push(await page.evaluate(() => performance.now()));
  }
  console.log(`page: ${size} bytes packed; interactive after ${times.map(Math.round).join(', ')} ms`);
  assert.ok(Math.min(...times) < 1000, `${times}`);
  await context.close();
});

test('analyse: moves, games, undo, keys, and an engine that does not flood', async () => {
  const { page, problems, context } = await open(browser, studio.address);
  const board = page.locator('.board-squares');
  // By click, by drag, by typing
  for (const square of ['e2', 'e4']) {
    const { x, y } = await squareAt(page, square);
    await page.mouse.click(x, y);
  }
  const moves = page.getByTestId('moves');
  await moves.getByRole('button', { name: 'e4' }).waitFor();
  await drag(page, 'e7', 'e5');
  await moves.getByRole('button', { name: 'e5' }).waitFor();
  await page.getByLabel('Move', { exact: true }).fill('Nf3');
  await page.keyboard.press('Enter');
  await moves.getByRole('button', { name: 'Nf3' }).waitFor();
  await page.getByLabel('Move', { exact: true }).fill('Ke7xx');
  await page.keyboard.press('Enter');
  await page.getByText('not legal here').waitFor();
  await page.getByLabel('Move', { exact: true }).fill('');
  await page.locator('main h2, main .graph').first().click();
  // Undo and redo, arrows, flip
  await page.keyboard.press('Control+z');
  await until(async () => (await moves.getByRole('button').count()) === 2, 'a move taken back');
  await page.keyboard.press('Control+Shift+z');
  await until(async () => (await moves.getByRole('button').count()) === 3, 'a move made again');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await until(async () => (await board.getAttribute('data-fen')).startsWith('rnbqkbnr/pppppppp/8/8/4P3'), 'two moves back');
  await page.keyboard.press('f');
  await page.locator('.cg-wrap.orientation-black').waitFor();
  // Lines and arrows
  await page.getByTestId('score').nth(2).waitFor();
  await page.locator('.cg-shapes g[cgHash], .cg-shapes g line, svg.cg-shapes line').first().waitFor({ state: 'attached' });
  // Not more than twenty messages a second
  let messages = 0;
  page.on('websocket', (socket) => socket.url().endsWith('analysis') && socket.on('framereceived', () => messages++));
  await page.reload();
  await page.getByTestId('score').first().waitFor();
  messages = 0;
  for (const key of ['Home', 'ArrowRight', 'ArrowRight']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(700);
  }
  assert.ok(messages > 0 && messages <= 42, `${messages} messages in 2.1 seconds`);
  const wdl = await page.locator('.line-wdl').first().textContent();
  assert.equal(wdl.trim().split(/\s+/).map(Number).reduce((a, b) => a + b), 1000);
  // The reload kept the game
  assert.equal(await moves.getByRole('button').count(), 3);
  // A game, its graph and its mistakes
  await load(page, GAME);
  await moves.getByRole('button', { name: 'Nf3#' }).waitFor();
  await page.getByTestId('depth').filter({ hasText: 'game is over' }).waitFor();
  const graph = page.getByTestId('graph');
  const drawn = await graph.boundingBox();
  await page.mouse.click(drawn.x + drawn.width * (4.5 / 24), drawn.y + drawn.height / 2);
  await until(async () => (await moves.locator('[aria-current]').textContent()) === 'Nc6', 'a jump by the graph');
  const shown = numberOf((await page.getByTestId('graph-now').textContent()).split(':')[1]);
  const fen = await board.getAttribute('data-fen');
  assert.equal(Math.round(100 * shown), command('eval', '--json', '--fen', fen).white_cp);
  // One engine for a tab: it does not analyse while it looks over the game
  await page.getByTestId('review').click();
  await page.getByTestId('depth').filter({ hasText: 'looking for mistakes' }).waitFor();
  await page.getByTestId('review-state').filter({ hasText: 'mistake' }).waitFor({ timeout: 60_000 });
  await page.getByTestId('depth').filter({ hasText: /depth \d/ }).waitFor();
  const blunder = page.locator('.mistakes button', { hasText: 'Nxf7??' });
  await blunder.click();
  await page.locator('.mistakes .why').first().waitFor();
  await load(page, '1. e4 Ke4');
  await page.locator('.notice').filter({ hasText: 'Ke4 is not legal' }).waitFor();
  // The refusal is an answer of the server's, which browsers log
  assert.deepEqual(problems.filter((text) => !text.includes('400 (Bad Request)')), []);
  await context.close();
});

test('analyse: positions from elsewhere, Chess960 too', async () => {
  const { page, problems, context } = await open(browser, studio.address);
  const board = page.locator('.board-squares');
  const shows = (fen) => until(async () => (await board.getAttribute('data-fen')) === fen, fen);
  const copied = async (what) => {
    await page.getByRole('button', { name: `Copy ${what}` }).click();
    await page.getByText(`${what} copied.`).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  // A short FEN is enough for the page and the engine
  await load(page, '4k3/8/8/8/8/8/8/4K2R w K');
  await shows('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
  await page.getByTestId('score').first().waitFor();
  // What is no position or no game leaves the board alone, and says why
  for (const [text, why] of [['QQQQQQQQ/QQQQQQQQ/8/k7/8/8/8/K7 b - - 0 1', 'promotions'], ['4k3/8/8/8/8/8/8/4K2X w - - 0 1', "'X'"], ['hello', '"hello" is no move']]) {
    await load(page, text);
    await page.locator('.notice.shown').filter({ hasText: why }).waitFor();
  }
  await shows('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
  // Castling by drag, in standard chess and in Chess960, onto the rook or two squares far
  for (const [fen, from, to, after] of [
    ['4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1', 'e1', 'g1', '4k3/8/8/8/8/8/8/R4RK1 b - - 1 1'],
    ['4k3/8/8/8/8/8/8/R3K2R w HA - 0 1', 'e1', 'a1', '4k3/8/8/8/8/8/8/2KR3R b - - 1 1'],
    ['4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1', 'e1', 'b1', '4k3/8/8/8/8/8/8/2KR3R b - - 1 1'],
    ['4k3/8/8/8/8/8/8/RK5R w KQ - 0 1', 'b1', 'h1', '4k3/8/8/8/8/8/8/R4RK1 b - - 1 1'],
  ]) {
    await load(page, fen);
    await until(async () => (await board.getAttribute('data-fen')).startsWith(fen.split(' ')[0]), fen);
    await drag(page, from, to);
    await shows(after);
    await page.getByTestId('score').first().waitFor();
  }
  // A pawn that is promoted, taken back before that by a key
  await load(page, '8/P5k1/8/8/8/8/6K1/8 w - - 0 1');
  await shows('8/P5k1/8/8/8/8/6K1/8 w - - 0 1');
  const dialog = page.getByRole('dialog', { name: 'Promote to' });
  await drag(page, 'a7', 'a8');
  assert.ok((await dialog.locator('piece.queen').boundingBox()).width > 20);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await drag(page, 'a7', 'a8');
  await dialog.waitFor();
  await until(async () => (await dialog.locator(':focus').count()) === 1, 'the dialog has the keyboard');
  for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
  await shows('N7/6k1/8/8/8/8/6K1/8 b - - 0 1');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  // To PGN and back
  const pgn = await copied('PGN');
  assert.match(pgn, /\[SetUp "1"\]\n\[FEN "4k3\/8\/8\/8\/8\/8\/8\/RK5R w KQ - 0 1"\]\n\[Variant "Chess960"\]\n\n1\. O-O \*/);
  await page.getByRole('button', { name: 'New game' }).click();
  await load(page, pgn);
  await shows('4k3/8/8/8/8/8/8/R4RK1 b - - 1 1');
  // Castling that is in the game already goes on with the game
  await load(page, '1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O');
  const moves = page.getByTestId('moves').getByRole('button');
  await moves.nth(5).click();
  await drag(page, 'e1', 'h1');
  await until(async () => (await page.getByTestId('moves').locator('[aria-current]').textContent()) === 'O-O', 'castling');
  assert.equal(await moves.count(), 8);
  assert.deepEqual(problems.filter((text) => !text.includes('400 (Bad Request)')), []);
  await context.close();
});

test('explain: rows add up to the number of the command line, and light up the board', async () => {
  const { page, problems, context } = await open(browser, `${studio.address}#/explain`);
  await load(page, MIDDLE);
  for (const weights of ['default', 'handcrafted', 'seajay']) {
    await page.getByTestId('weights').selectOption(weights);
    const expected = command('eval', '--json', '--weights', weights, '--fen', MIDDLE);
    await page.locator(`[data-testid=evaluation][data-cp="${expected.white_cp}"]`).waitFor();
    const rows = page.locator('.waterfall tbody tr[data-term]');
    await until(async () => {
      const shares = await page.getByTestId('share').evaluateAll((cells) => cells.map((cell) => Number(cell.dataset.cp)));
      const sum = shares.reduce((a, b) => a + b, 0);
      return Math.abs(sum - expected.white_cp) < 1e-6 && numberOf(await page.getByTestId('sum').textContent()) === expected.white_cp;
    }, `${weights}: rows that add up`);
    const weighty = expected.rows.filter((row) => row.group === 'Composition' || row.cp !== 0 || row.white.mg || row.white.eg || row.black.mg || row.black.eg);
    assert.equal(await rows.count(), weighty.length);
  }
  await page.getByTestId('weights').selectOption('handcrafted');
  const row = page.locator('tr[data-term=knight_mobility]');
  await row.hover();
  await until(async () => (await page.locator('.overlay .lit').count()) === 4, 'four knights lit');
  await row.getByRole('button').click();
  assert.equal(await page.locator('.finding-list li').count(), 4);
  // What a piece contributes is what the command line says
  const box = await page.locator('.board-squares').boundingBox();
  await page.mouse.move(box.x + box.width * (5.5 / 8), box.y + box.height * (5.5 / 8));
  const told = await page.getByTestId('square-list').locator('strong').filter({ hasText: 'f3' }).textContent();
  const squares = command('eval', '--json', '--weights', 'handcrafted', '--fen', MIDDLE).squares;
  assert.equal(numberOf(told.split(':')[1]), Number(squares[5 + 8 * 2].toFixed(1)));
  // Two moves, two weights
  await page.getByRole('tab', { name: 'Why not …?' }).click();
  await page.getByTestId('move-0').selectOption({ label: 'a3' });
  await page.getByTestId('move-1').selectOption({ label: 'cxd5' });
  await page.getByTestId('compare').click();
  await page.getByTestId('differences').waitFor();
  await page.getByRole('tab', { name: 'Two weights' }).click();
  await page.getByTestId('other-weights').selectOption('seajay');
  const both = command('eval', '--json', '--compare', 'handcrafted', 'seajay', '--fen', MIDDLE);
  await until(async () => numberOf(await page.getByTestId('sum-b').textContent()) === both.b.white_cp, 'the other number');
  assert.equal(numberOf(await page.getByTestId('sum-a').textContent()), both.a.white_cp);
  // A trace takes less than 50 ms
  const times = await page.evaluate(async (fen) => {
    const found = [];
    for (let i = 0; i < 20; i++) {
      const start = performance.now();
      const body = JSON.stringify({ fen: fen.replace('0 9', `0 ${10 + i}`) });
      await (await fetch('/api/trace', { method: 'POST', headers: { 'content-type': 'application/json' }, body })).json();
      found.push(performance.now() - start);
    }
    return found.sort((a, b) => a - b);
  }, MIDDLE);
  console.log(`trace: median ${times[10].toFixed(1)} ms, most ${times[19].toFixed(1)} ms`);
  assert.ok(times[10] < 50, `${times}`);
  assert.deepEqual(problems, []);
  // A position that was reached while the server was away is explained when it is back
  await page.getByRole('tab', { name: 'This position' }).click();
  await studio.kill();
  await page.locator('.notice.shown').filter({ hasText: 'does not answer' }).waitFor();
  await page.getByLabel('Move', { exact: true }).fill('cxd5');
  await page.keyboard.press('Enter');
  await studio.start();
  const after = command('eval', '--json', '--weights', 'handcrafted', '--fen', await page.locator('.board-squares').getAttribute('data-fen'));
  await page.locator(`[data-testid=evaluation][data-cp="${after.white_cp}"]`).waitFor();
  await context.close();
});

test('weights that are chosen last count, however late the answers come', async () => {
  const { page, problems, context } = await open(browser, `${studio.address}#/tables/material`);
  let late;
  const answered = new Promise((resolve) => (late = resolve));
  await page.route('**/api/weights/default', async (route) => {
    const answer = await route.fetch();
    const chosen = page.waitForResponse('**/api/weights/material');
    await page.getByTestId('weights').selectOption('material');
    await (await chosen).finished();
    await route.fulfill({ response: answer });
    late();
  });
  await page.reload();
  await answered;
  const knight = page.locator('input[data-param="1"][data-half=mg]');
  await until(async () => (await knight.inputValue()) === '320', 'the knight of the weights chosen');
  assert.equal(await page.getByTestId('weights').inputValue(), 'material');
  assert.deepEqual(problems, []);
  await context.close();
});

test('tables: an edited cell changes the evaluation by the right amount, is undone, saved and proven', async () => {
  const { page, problems, context } = await open(browser, studio.address);
  // White has a knight more, and only endgame values count without pieces to speak of
  await load(page, '4k3/pp6/8/8/8/8/PP6/4K1N1 w - - 0 1');
  await page.goto(`${studio.address}#/tables/material`);
  await page.getByTestId('weights').selectOption('material');
  const cp = async (name) => Number(await page.getByTestId(`cp-${name}`).getAttribute('data-cp'));
  const before = command('eval', '--json', '--weights', 'material', '--fen', '4k3/pp6/8/8/8/8/PP6/4K1N1 w - - 0 1').white_cp;
  await until(async () => (await cp('before')) === before && (await cp('after')) === before, 'the evaluation of the command line');
  const cell = (half) => page.locator(`input[data-param="1"][data-half=${half}]`);
  const value = Number(await cell('mg').inputValue());
  for (const half of ['mg', 'eg']) {
    await cell(half).fill(String(value + 40));
    await cell(half).press('Enter');
  }
  await until(async () => (await cp('after')) === before + 40, 'the knight is worth 40 more');
  assert.equal(await page.getByTestId('cp-change').textContent(), '+40 cp');
  await page.getByTestId('undo-edit').click();
  await page.getByTestId('undo-edit').click();
  await until(async () => (await cp('after')) === before, 'all undone');
  // By drag: three pixels a step
  for (const half of ['mg', 'eg']) {
    const box = await cell(half).boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 - 30, { steps: 5 });
    await page.mouse.up();
    assert.equal(Number(await cell(half).inputValue()), value + 10);
  }
  await until(async () => (await cp('after')) === before + 10, 'ten more by drag');
  // Every kind of term is drawn
  await page.locator('.term-list a', { hasText: 'piece square' }).click();
  await until(async () => (await page.locator('.square-table input').count()) === 6 * 64 * 2, 'six roles, two halves');
  // One scale for all of a term, which the legend tells
  const told = async () => numberOf((await page.locator('.scale-legend').textContent()).match(/\+\d+/)[0]);
  const most = (values) => Math.max(5, ...values.map((value) => Math.abs(value)));
  const values = await page.locator('.square-table input').evaluateAll((cells) => cells.map((cell) => Number(cell.value)));
  assert.equal(await told(), most(values));
  await page.getByTestId('compare-with').selectOption('simplified');
  await page.locator('figcaption', { hasText: 'difference' }).first().waitFor();
  const differences = await page.locator('.square-table input').evaluateAll((cells) => cells.map((cell) => Number(cell.title.match(/([+−]?)(\d+) beside/)[2])));
  assert.equal(await told(), most(differences));
  await page.locator('.term-list a', { hasText: 'knight mobility' }).click();
  await page.locator('.columns .curve').first().waitFor({ state: 'attached' });
  await page.locator('.term-list a', { hasText: 'passed pawn' }).click();
  await page.locator('.columns rect').first().waitFor();
  // Proven by a match that ends in the store
  await page.getByTestId('prove-nodes').fill('200');
  await page.getByTestId('prove-rounds').fill('4');
  await page.getByTestId('prove').click();
  const card = page.getByTestId('run-card');
  await card.waitFor({ timeout: 90_000 });
  await page.reload();
  await page.locator('[data-testid=run-card][data-status=finished]').waitFor({ timeout: 60_000 });
  const run = studio.run(await card.getAttribute('data-run'));
  assert.deepEqual([run.status, run.games, run.engines[0].name], ['finished', 8, 'material-edited']);
  // Saved
  await page.getByTestId('save-name').fill('heavier-knights');
  await page.getByTestId('save').click();
  await page.getByText('Saved as heavier-knights.').waitFor();
  assert.equal(await page.getByTestId('weights').inputValue(), 'heavier-knights');
  assert.equal(await page.getByTestId('save').textContent(), 'Replace', 'nothing is overwritten unsaid');
  const file = join(studio.folder, 'studio', 'weights', 'heavier-knights.toml');
  assert.equal(command('eval', '--json', '--weights', file, '--fen', '4k3/pp6/8/8/8/8/PP6/4K1N1 w - - 0 1').white_cp, before + 10);
  assert.deepEqual(problems, []);
  await context.close();
});

test('laboratory: a match started, reloaded, paused, seen in two tabs, and after the server was killed', async () => {
  const one = await open(browser, `${studio.address}#/laboratory`);
  const two = await open(browser, `${studio.address}#/laboratory`);
  const { page } = one;
  await page.getByTestId('new-match').click();
  await page.getByTestId('match-first').selectOption('handcrafted');
  await page.getByTestId('match-second').selectOption('material');
  await page.getByTestId('match-limit').fill('nodes 2000');
  await page.getByTestId('match-rounds').fill('3000');
  await page.getByTestId('match-test').uncheck();
  await page.getByTestId('start-match').click();
  await page.getByTestId('run-status').filter({ hasText: 'running' }).waitFor({ timeout: 90_000 });
  const id = Number(page.url().split('/').at(-1));
  // The other tab sees it
  await two.page.locator(`[data-run="${id}"]`).click();
  await two.page.getByTestId('run-status').filter({ hasText: 'running' }).waitFor();
  const games = async (tab) => numberOf((await tab.locator(`[data-run="${id}"]`).textContent()).match(/(\d+) games/)?.[1] ?? '0');
  await until(async () => (await games(page)) > 3 && (await games(two.page)) > 3, 'games in both tabs');
  // A reload in mid-match
  await page.reload();
  await page.getByTestId('run-status').filter({ hasText: 'running' }).waitFor();
  await page.getByTestId('elo-chart').locator('canvas').waitFor();
  await until(async () => (await page.getByTestId('ptnml').getAttribute('data-pairs')).split(',').some((count) => Number(count) > 0), 'pairs');
  // Paused in one tab, seen in the other
  await page.getByTestId('pause').click();
  await two.page.getByTestId('run-status').filter({ hasText: 'paused' }).waitFor();
  // The server dies; the match does not, and the page finds the new server
  await studio.kill();
  await page.locator('.notice.shown').filter({ hasText: 'does not answer' }).waitFor();
  assert.equal(studio.run(id).is_alive, true);
  await studio.start();
  await until(async () => !(await page.locator('.notice.shown').count()), 'connected again');
  await page.getByTestId('resume').click();
  await two.page.getByTestId('run-status').filter({ hasText: 'running' }).waitFor();
  const earlier = await games(page);
  await until(async () => (await games(page)) > earlier + 1, 'more games');
  await page.getByTestId('stop').click();
  await page.getByTestId('run-status').filter({ hasText: 'stopped' }).waitFor();
  const shown = await games(page);
  assert.equal(studio.run(id).games, shown);
  // Gone on with, and stopped again
  await page.getByTestId('resume').click();
  await until(async () => (await games(page)) > shown, 'games after going on');
  await page.getByTestId('stop').click();
  await page.getByTestId('run-status').filter({ hasText: 'stopped' }).waitFor();
  const pairs = (await page.getByTestId('ptnml').getAttribute('data-pairs')).split(',').map(Number);
  await until(async () => JSON.stringify((await page.getByTestId('ptnml').getAttribute('data-pairs')).split(',').map(Number)) === JSON.stringify(studio.run(id).result.ptnml), `the store's pairs, not ${pairs}`);
  // A game on the board
  await page.getByTestId('games').getByRole('button').first().click();
  await page.getByTestId('replay').locator('cg-board piece').first().waitFor();
  await page.getByLabel('Last position (End)').click();
  const quiet = (problems) => problems.filter((text) => !/WebSocket|ERR_CONNECTION_REFUSED|Failed to load resource/.test(text));
  assert.deepEqual([...quiet(one.problems), ...quiet(two.problems)], []);
  await one.context.close();
  await two.context.close();
});

test('laboratory: a hundred thousand games are paged', async () => {
  const many = `
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
run, opening, moves = db.execute("SELECT run, opening, moves FROM games LIMIT 1").fetchone()
new = db.execute("INSERT INTO runs (kind, command, directory, seed, host, version, settings, created, updated, state, heartbeat, games) SELECT kind, command, directory, seed, host, version, settings, created, updated, 'finished', heartbeat, 100000 FROM runs WHERE id = ?", (run,)).lastrowid
db.execute("INSERT INTO engines SELECT ?, number, name, command, options, time_limit, file_hash, bench FROM engines WHERE run = ?", (new, run))
results = ["1-0", "1/2-1/2", "0-1", "1-0", "1/2-1/2"]
db.executemany("INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, 0, 'checkmate', 0, ?, ?)", ((new, n // 2, n % 2, n % 2, 1 - n % 2, results[n % 5], opening, moves) for n in range(100000)))
db.commit()
print(new)`;
  const id = Number(execFileSync('python3', ['-c', many, studio.store], { encoding: 'utf8' }));
  const { page, problems, context } = await open(browser, `${studio.address}#/laboratory/${id}`);
  await page.getByText('100,000 games', { exact: true }).waitFor();
  const rows = page.getByTestId('games').locator('tr');
  await until(async () => (await rows.count()) === 50, 'a page of games');
  const start = Date.now();
  await page.getByTestId('games-last').click();
  await page.getByTestId('games').getByText('50000.2').waitFor();
  const took = Date.now() - start;
  console.log(`the last page of 100,000 games: ${took} ms`);
  assert.ok(took < 2000);
  assert.equal(await rows.count(), 50);
  await page.getByTestId('games').getByRole('button').last().click();
  await page.getByTestId('replay').waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('laboratory: tuning, SPSA, ladder and ablation runs are drawn', async () => {
  const { folder, store } = studio;
  const kept = ['--json', '--store', store];
  const data = join(folder, 'games.mqg');
  command('datagen', '--games', '40', '--nodes', '80', '--output', data, '--json');
  const tuned = join(folder, 'studio', 'weights', 'tuned.toml');
  command('tune', '--data', data, '--output', tuned, '--weights', 'handcrafted', '--epochs', '4', ...kept);
  command('spsa', '--tune', 'rfp_*', '--iterations', '8', '--nodes', '100', ...kept);
  command('ladder', '--opponent', PROGRAM, '--levels', '1000,1200', '--games', '2', '--nodes', '100', ...kept);
  command('ablate', '--games', '4', '--nodes', '50', '--weights', 'handcrafted', '--directory', join(folder, 'ablation'), ...kept);
  const runs = studio.runs();
  const { page, problems, context } = await open(browser, `${studio.address}#/laboratory`);
  const choose = (kind) => page.locator(`[data-run="${runs.find((run) => run.kind === kind).id}"]`).click();
  await choose('tune');
  await page.getByRole('figure').filter({ hasText: 'Loss by epoch' }).locator('canvas').waitFor();
  await page.getByRole('figure').filter({ hasText: 'Parameters' }).locator('canvas').waitFor();
  await page.getByLabel('material.knight mg').waitFor();
  await choose('spsa');
  // The tuning had two charts, which stand there until this run's have come
  await until(async () => (await page.getByTestId('curves-chart').locator('canvas').count()) === 1, 'one chart');
  await choose('ladder');
  await page.getByTestId('rating').waitFor();
  await until(async () => (await page.getByTestId('elo-bars').locator('tr').count()) === 2, 'two levels');
  await choose('ablate');
  await page.getByTestId('elo-bars').locator('tr').nth(3).waitFor();
  // What the tuner knew of its weights is in the tables
  const report = JSON.parse(readFileSync(`${tuned}.report.json`, 'utf8'));
  await page.goto(`${studio.address}#/tables/material`);
  await page.reload();
  await page.getByTestId('weights').selectOption('tuned');
  await page.getByTestId('show-errors').check();
  const errors = await page.getByTestId('errors').first().locator('.cell').allTextContents();
  assert.equal(errors[1], String(Math.round(report.parameters[1].error_mg)));
  await page.getByText(`never seen in the data (${report.unseen.length})`).waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});

test('play: the engine is not charged for a view that is away, and who runs out of time loses', async () => {
  const { page, problems, context } = await open(browser, `${studio.address}#/play`);
  await page.getByTestId('play-minutes').fill('0.1');
  await page.getByLabel('Seconds a move').fill('0');
  await page.getByTestId('play-start').click();
  const state = page.getByTestId('play-state');
  await state.filter({ hasText: 'Your move' }).waitFor();
  // As if the page had been away for a minute in the middle of the engine's move
  await page.evaluate(() => {
    const match = JSON.parse(sessionStorage.getItem('marquetry.match'));
    const away = { ...match, game: { ...match.game, moves: ['e2e4'] }, since: Date.now() - 60_000 };
    sessionStorage.setItem('marquetry.match', JSON.stringify(away));
  });
  await page.reload();
  await until(async () => (await state.getAttribute('data-plies')) === '2', 'a reply');
  await state.filter({ hasText: '0-1, white ran out of time' }).waitFor();
  assert.match(await page.getByLabel('You, white').textContent(), /0:00\.0$/);
  assert.deepEqual(problems, []);
  await context.close();
});

test('play: a game with clocks, saved, and its mistakes afterwards; on a phone too', async () => {
  const { page, problems, context } = await open(browser, `${studio.address}#/play`, { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.getByTestId('play-elo').fill('1000');
  await page.getByTestId('play-start').click();
  const state = page.getByTestId('play-state');
  const plies = async () => Number(await state.getAttribute('data-plies'));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} pixels wide`);
  for (const [i, move] of ['f3', 'g4', 'h4', 'a3'].entries()) {
    await page.getByLabel('Move', { exact: true }).fill(move);
    await page.keyboard.press('Enter');
    await until(async () => (await plies()) === 2 * i + 2 || (await state.textContent()).includes('-'), `a reply to ${move}`);
    if ((await state.textContent()).includes('0-1')) break;
  }
  // A reload loses nothing
  const count = await plies();
  await page.reload();
  assert.equal(await plies(), count);
  if (!(await state.textContent()).includes('0-1')) await page.getByTestId('resign').click();
  await state.filter({ hasText: '0-1' }).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByTestId('save-pgn').click()]);
  const pgn = readFileSync(await download.path(), 'utf8');
  assert.match(pgn, /\[White "You"\]\n\[Black "Marquetry 1000"\]/);
  assert.match(pgn, /1\. f3 .*0-1\n$/s);
  await page.getByTestId('after').click();
  await page.getByTestId('review-state').filter({ hasText: 'mistake' }).waitFor({ timeout: 60_000 });
  assert.ok((await page.locator('.mistakes li').count()) > 0);
  await page.locator('.mistakes button').first().click();
  await page.locator('.mistakes .why').first().waitFor();
  assert.deepEqual(problems, []);
  await context.close();
});
