// What holds for the whole page: names for every control, keys, no jumps, light and dark, all widths; and sockets that bear
// whatever comes.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';
import { Studio, launch, load, open, until } from './helper.mjs';

const VIEWS = ['analyse', 'explain', 'tables', 'laboratory', 'play'];
const studio = new Studio();
let browser;

before(async () => {
  [browser] = await Promise.all([launch(), studio.start()]);
});

after(async () => {
  await browser?.close();
  await studio.close();
});

test('every control has a name, and the tab key reaches the views', async () => {
  const { page, problems, context } = await open(browser, studio.address);
  for (const view of VIEWS) {
    await page.goto(`${studio.address}#/${view}`);
    await page.waitForTimeout(400);
    const nameless = await page.evaluate(() => {
      const nameOf = (element) => element.getAttribute('aria-label') || [...(element.labels ?? [])].map((label) => label.textContent).join('') || element.textContent || element.title;
      return [...document.querySelectorAll('button, input, select, textarea, a')].filter((element) => !nameOf(element)?.trim()).map((element) => element.outerHTML);
    });
    assert.deepEqual(nameless, [], view);
  }
  await page.goto(studio.address);
  await page.locator('.board').waitFor();
  await page.keyboard.press('Alt+2');
  await page.getByTestId('evaluation').waitFor();
  await page.keyboard.press('Alt+1');
  await page.getByTestId('lines').waitFor();
  await page.locator('body').click({ position: { x: 2, y: 2 } });
  const reached = new Set();
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement?.textContent));
  }
  assert.ok(['Analyse', 'Explain', 'Tables', 'Laboratory', 'Play'].every((name) => reached.has(name)), [...reached].join());
  assert.deepEqual(problems, []);
  await context.close();
});

test('nothing jumps while the engine thinks and pieces are pointed at', async () => {
  const { page, context } = await open(browser, studio.address);
  await page.waitForTimeout(600);
  await page.evaluate(() => {
    window.shifts = [];
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries().filter((entry) => !entry.hadRecentInput).map((entry) => entry.value)))
      .observe({ type: 'layout-shift' });
  });
  await page.waitForTimeout(1500);
  await page.keyboard.press('Alt+2');
  await page.getByTestId('evaluation').waitFor();
  await page.waitForTimeout(700);
  const box = await page.locator('.board-squares').boundingBox();
  for (let i = 0; i < 8; i++) {
    await page.mouse.move(box.x + (box.width * (i + 0.5)) / 8, box.y + box.height * 0.94);
    await page.waitForTimeout(60);
  }
  const shifts = await page.evaluate(() => window.shifts);
  assert.ok(shifts.reduce((sum, shift) => sum + shift, 0) < 0.05, shifts.join(' '));
  await context.close();
});

test('light and dark, from a phone to a wall: nothing is wider than the window', async () => {
  const windows = [[390, 844, 'light'], [390, 844, 'dark'], [1000, 700, 'dark'], [1440, 900, 'light'], [2560, 1440, 'dark']];
  for (const [width, height, colorScheme] of windows) {
    const { page, problems, context } = await open(browser, studio.address, { viewport: { width, height }, colorScheme });
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), colorScheme);
    for (const view of width < 1000 ? ['analyse', 'play'] : VIEWS) {
      await page.goto(`${studio.address}#/${view}`);
      await page.waitForTimeout(150);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= width, `${view} is ${wide} wide at ${width}`);
    }
    assert.deepEqual(problems, []);
    await context.close();
  }
});

/** Tries to open a socket as a page of another site would. */
function upgrade(path, headers) {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: studio.port, path, headers: {
      connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', ...headers,
    } });
    asked.on('upgrade', (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    asked.on('response', (response) => resolve(response.statusCode));
    asked.on('error', reject);
    asked.end();
  });
}

test('sockets: other sites are refused, nonsense gets a sentence, and a new question ends the old one', async () => {
  const own = `127.0.0.1:${studio.port}`;
  for (const path of ['/api/analysis', '/api/live']) {
    assert.equal(await upgrade(path, { host: own, origin: `http://${own}` }), 101);
    assert.equal(await upgrade(path, { host: own, origin: 'http://evil.example' }), 403);
    assert.equal(await upgrade(path, { host: 'evil.example', origin: 'http://evil.example' }), 403);
  }
  const { page, context } = await open(browser, `${studio.address}#/laboratory`);
  const answers = await page.evaluate(async () => {
    const socket = new WebSocket(`ws://${location.host}/api/analysis`);
    await new Promise((resolve) => (socket.onopen = resolve));
    const heard = [];
    socket.onmessage = (event) => heard.push(JSON.parse(event.data));
    const start = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
    const setup = { threads: 1, hash: 16, lines: 1, elo: null };
    const bad = ['{', '[]', '{"type": "explode"}', JSON.stringify({ type: 'analyse', id: 1, game: { fen: 'no', moves: [] }, setup }),
      JSON.stringify({ type: 'analyse', id: 2, game: { fen: start, moves: ['e2e5'] }, setup }),
      JSON.stringify({ type: 'analyse', id: 3, game: { fen: start, moves: [] }, setup: { ...setup, hash: 1e9 } }),
      JSON.stringify({ type: 'analyse', id: 4, game: { fen: start, moves: [] }, setup: { ...setup, weights: { base: '../x', edits: [] } } })];
    for (const text of bad) {
      const before = heard.length;
      socket.send(text);
      while (heard.length === before) await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const problems = heard.splice(0);
    for (let id = 10; id < 40; id++) socket.send(JSON.stringify({ type: 'analyse', id, game: { fen: start, moves: [] }, setup }));
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const ids = heard.map((answer) => answer.id);
    // A slow machine may need longer to come to the last question
    for (let wait = 0; wait < 100 && heard.at(-1)?.id !== 39; wait++) await new Promise((resolve) => setTimeout(resolve, 100));
    const last = heard.at(-1)?.id;
    socket.send(JSON.stringify({ type: 'stop' }));
    await new Promise((resolve) => setTimeout(resolve, 400));
    const stopped = heard.length;
    await new Promise((resolve) => setTimeout(resolve, 500));
    socket.close();
    return { problems, ids, last, later: heard.length - stopped };
  });
  assert.equal(answers.problems.length, 7);
  assert.ok(answers.problems.every((answer) => answer.type === 'problem' && answer.error.length > 10), JSON.stringify(answers.problems));
  assert.ok(answers.ids.length > 0 && answers.ids.length <= 31, `${answers.ids.length} answers in 1.5 seconds`);
  assert.equal(answers.last, 39);
  assert.equal(answers.later, 0);
  await context.close();
});

test('two tabs think about two positions', async () => {
  const one = await open(browser, studio.address);
  const two = await open(browser, studio.address);
  await load(two.page, '6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1');
  await until(async () => (await two.page.getByTestId('score').first().textContent())?.includes('M1'), 'a mate in one');
  await until(async () => Number((await one.page.getByTestId('depth').textContent())?.match(/depth (\d+)/)?.[1]) > 4, 'depth in the first tab');
  assert.equal(await one.page.getByText('M1').count(), 0);
  await one.context.close();
  await two.context.close();
});
