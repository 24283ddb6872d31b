// The studio as a user has it: the real program, a real browser, a folder of its own.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

export const PROGRAM = process.env.PROGRAM ?? 'target/release/marquetry';
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** Runs a command of the program and reads the object that it prints. */
export function command(...words) {
  return JSON.parse(execFileSync(PROGRAM, words, { encoding: 'utf8', maxBuffer: 1 << 28 }));
}

export class Studio {
  folder = mkdtempSync(join(tmpdir(), 'marquetry-studio-'));
  store = join(this.folder, 'runs.db');
  port = 0;

  /** Starts the server, at the same port as before if it ran before. */
  async start(...words) {
    const options = ['studio', '--no-open', '--port', String(this.port), '--store', this.store, ...words];
    this.process = spawn(PROGRAM, options, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.address = await new Promise((resolve, reject) => {
      let text = '';
      this.process.stdout.on('data', (data) => {
        text += data;
        const found = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(text);
        if (found) {
          this.port = Number(found[1]);
          resolve(found[0]);
        }
      });
      this.process.on('exit', (code) => reject(new Error(`the studio ended with ${code}`)));
    });
    return this;
  }

  /** Ends the server as a power cut would. */
  async kill() {
    const gone = new Promise((resolve) => this.process.on('exit', resolve));
    this.process.kill('SIGKILL');
    await gone;
  }

  run(id) {
    return command('runs', 'show', String(id), '--json', '--store', this.store);
  }

  runs() {
    return command('runs', 'list', '--json', '--store', this.store).runs;
  }

  async close() {
    await this.kill();
    for (const run of this.runs().filter((run) => run.is_alive)) {
      try {
        process.kill(run.owner.pid);
      } catch {
        // It has just ended by itself
      }
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

/** A tab that remembers what went wrong in it. */
export async function open(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  await page.goto(address);
  await page.locator('main .board, main .term-list, main .run-list, main .play-setting').first().waitFor();
  return { page, problems, context };
}

/** Puts a position on the board. */
export async function load(page, text) {
  await page.getByTestId('exchange').fill(text);
  await page.getByTestId('load').click();
}

/** Where a square of the board is, White below. */
export async function squareAt(page, square) {
  const box = await page.locator('.board-squares').boundingBox();
  return { x: box.x + (square.charCodeAt(0) - 96.5) * (box.width / 8), y: box.y + (8.5 - Number(square[1])) * (box.height / 8) };
}

/** Takes a piece from one square to another. */
export async function drag(page, from, to) {
  const [start, end] = [await squareAt(page, from), await squareAt(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
  await page.mouse.move(end.x, end.y, { steps: 4 });
  await page.mouse.up();
}

/** The page's text as a number; it writes a minus as people do. */
export const numberOf = (text) => Number(text.replace('−', '-').replace(/[^\d.+-]/g, ''));

export async function until(check, what, patience = 30_000) {
  const end = Date.now() + patience;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error(`this did not happen: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
