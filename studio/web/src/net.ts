// Talking to the server: questions over HTTP, and sockets that come back by themselves.

import type { Answer, Live, Problem, Question } from './api';

async function read<T>(response: Response): Promise<T> {
  if (!response.ok) {
    const problem = (await response.json().catch(() => null)) as Problem | null;
    throw new Error(problem?.error ?? `The server answered ${response.status}.`);
  }
  return (await response.json()) as T;
}

export async function get<T>(path: string): Promise<T> {
  return read<T>(await fetch(`/api/${path}`));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  return read<T>(await send(path, body));
}

export async function postForText(path: string, body: unknown): Promise<string> {
  const response = await send(path, body);
  return response.ok ? response.text() : read<string>(response);
}

function send(path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** What went wrong, as a sentence. */
export function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text === 'Failed to fetch' ? 'The server does not answer; is it still running?' : text;
}

/** A socket that is opened again when it closes, until it is closed on purpose. */
export class Socket<In> {
  private socket: WebSocket | null = null;
  private isClosed = false;
  private delay = 250;

  constructor(
    private path: string,
    private hear: (message: In) => void,
    private opened: () => void = () => {},
    private state: (isOpen: boolean) => void = () => {},
  ) {
    this.open();
  }

  private open() {
    const socket = new WebSocket(`ws://${location.host}/api/${this.path}`);
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 250;
      this.state(true);
      this.opened();
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data as string) as In);
    socket.onclose = () => {
      if (this.isClosed) return;
      this.state(false);
      setTimeout(() => this.isClosed || this.open(), this.delay);
      this.delay = Math.min(2 * this.delay, 4000);
    };
  }

  send(message: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.isClosed = true;
    this.socket?.close();
  }
}

/** This tab's engine. One question at a time; answers to older ones are dropped. */
export class Thinker {
  private static number = 0;
  private socket: Socket<Answer>;
  private question: Question | null = null;
  private id = 0;

  constructor(private hear: (answer: Answer) => void) {
    this.socket = new Socket<Answer>('analysis', (answer) => {
      if (answer.type === 'problem' ? answer.id === null || answer.id === this.id : answer.id === this.id) this.hear(answer);
    }, () => this.question && this.socket.send(this.question));
  }

  ask(question: WithoutId<Question>) {
    this.id = ++Thinker.number;
    this.question = { ...question, id: this.id } as Question;
    this.socket.send(this.question);
  }

  stop() {
    this.id = 0;
    if (this.question) this.socket.send({ type: 'stop' });
    this.question = null;
  }

  close() {
    this.socket.close();
  }
}

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

export function listenToRuns(hear: (live: Live) => void, state: (isOpen: boolean) => void): Socket<Live> {
  return new Socket<Live>('live', hear, () => {}, state);
}
