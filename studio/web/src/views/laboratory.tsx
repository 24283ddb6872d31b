// Laboratory: the runs of the store, as they go and as they went.

import { useMemo, useState } from 'preact/hooks';
import type { CurveData, GameDetails, GamesPage, Pairing, RunDetails, RunSummary, Started } from '../api';
import { get, post } from '../net';
import { useAnswer } from '../parts/answer';
import { Board } from '../parts/board';
import { Chart, type Curve } from '../parts/chart';
import { GameButtons, MoveList, useGameKeys } from '../parts/moves';
import { RunButtons, TestGauge, useRun } from '../parts/run';
import { KINDS, pawns, signed } from '../parts/scale';
import { WeightsOptions } from '../parts/weights';
import { game, go, isFlipped, ply, position, route, runs, setGame, tell } from '../state';

export function Laboratory() {
  const id = Number(route.value.rest) || null;
  const [isStarting, setStarting] = useState(false);
  return (
    <div class="lab">
      <aside class="card run-list" aria-label="Runs">
        <button class="primary" onClick={() => setStarting(!isStarting)} aria-expanded={isStarting} data-testid="new-match">New match</button>
        {isStarting && <NewMatch onStarted={(run) => { setStarting(false); go('laboratory', String(run)); }} />}
        {runs.value.length === 0 && <p class="faint">No runs yet. Start a match here, or change a weight in Tables and prove it.</p>}
        <ul>
          {runs.value.map((run) => (
            <li key={run.id}>
              <a href={`#/laboratory/${run.id}`} aria-current={run.id === id ? 'true' : undefined} data-run={run.id} data-status={run.status}>
                <span><b>{run.id}</b> {run.kind} <i class={`status ${run.status}`}>{run.status}</i></span>
                <span class="faint">{namesOf(run)}</span>
                <span class="faint number">{run.games ? `${run.games} games. ` : ''}{run.sentence}</span>
              </a>
            </li>
          ))}
        </ul>
      </aside>
      {id ? <RunView key={id} id={id} /> : <p class="waiting">Choose a run.</p>}
    </div>
  );
}

function namesOf(run: RunSummary): string {
  return run.engines.length > 3 ? `${run.engines[0]} and ${run.engines.length - 1} more` : run.engines.join(' – ');
}

function NewMatch({ onStarted }: { onStarted: (run: number) => void }) {
  const [form, setForm] = useState({ first: 'default', second: 'handcrafted', limit: 'nodes 5000', rounds: 500, concurrency: 1, isTest: true, elo0: 0, elo1: 5 });
  const [isBusy, setBusy] = useState(false);
  const set = (changes: Partial<typeof form>) => setForm({ ...form, ...changes });
  const start = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    const [kind, value] = form.limit.trim().split(/\s+/);
    try {
      const started = await post<Started>('matches', {
        first: { name: form.first, weights: { base: form.first, edits: [] } },
        second: { name: form.second === form.first ? `${form.second}-2` : form.second, weights: { base: form.second, edits: [] } },
        nodes: kind === 'nodes' ? Number(value) : null, clock: kind === 'nodes' ? null : kind,
        rounds: form.rounds, concurrency: form.concurrency, sprt: form.isTest ? [form.elo0, form.elo1] : null, seed: Date.now() % 1_000_000,
      });
      onStarted(started.run);
    } catch (error) {
      tell(error);
    }
    setBusy(false);
  };
  const number = (label: string, key: 'rounds' | 'concurrency' | 'elo0' | 'elo1') => (
    <label>{label} <input type="number" value={form[key]} data-testid={`match-${key}`} onChange={(event) => set({ [key]: Number(event.currentTarget.value) })} /></label>
  );
  const weights = (label: string, key: 'first' | 'second') => (
    <label>{label} <select value={form[key]} onChange={(event) => set({ [key]: event.currentTarget.value })} data-testid={`match-${key}`}><WeightsOptions /></select></label>
  );
  return (
    <form class="new-match" onSubmit={(event) => void start(event)}>
      {weights('First', 'first')} {weights('Second', 'second')}
      <label>Limit <input value={form.limit} onInput={(event) => set({ limit: event.currentTarget.value })} title="nodes 5000, or a clock such as 8+0.08" data-testid="match-limit" /></label>
      {number('Pairs', 'rounds')} {number('At once', 'concurrency')}
      <label class="check"><input type="checkbox" checked={form.isTest} onChange={(event) => set({ isTest: event.currentTarget.checked })} data-testid="match-test" /> Sequential test</label>
      {form.isTest && <>{number('elo0', 'elo0')} {number('elo1', 'elo1')}</>}
      <button class="primary" disabled={isBusy} data-testid="start-match">{isBusy ? 'Starting …' : 'Start'}</button>
    </form>
  );
}

function RunView({ id }: { id: number }) {
  useGameKeys();
  const details = useRun(id);
  const live = runs.value.find((run) => run.id === id) ?? details?.summary;
  if (!details || !live) return <p class="waiting">Looking for run {id} …</p>;
  return (
    <section class="run-view" aria-label={`Run ${id}`}>
      <div class="card run-head">
        <div>
          <h2>Run {id}: {details.summary.kind}, <span data-testid="run-status">{live.status}</span></h2>
          <p data-testid="run-sentence">{live.sentence}</p>
          <p class="faint">
            {details.engines.length > 0 && `${details.engines.map((engine) => `${engine.name} (${engine.limit})`).slice(0, 4).join(' – ')}; `}
            seed {details.seed}; since {new Date(live.created).toLocaleString()}{details.digest.incidents ? `; ${details.digest.incidents} incidents` : ''}
          </p>
        </div>
        <RunButtons run={live} />
      </div>
      {details.engines.length === 2 && <MatchCharts details={details} />}
      {details.engines.length > 2 && <Bars details={details} />}
      {details.curves.length > 0 && <Curves id={id} version={live.updated} />}
      {live.games > 0 && <Games details={details} total={live.games} />}
    </section>
  );
}

function MatchCharts({ details }: { details: RunDetails }) {
  const { history, sprt, pairings } = details.digest;
  const x = useMemo(() => history.map((moment) => moment.games), [history]);
  const elo = useMemo<Curve[]>(() => [
    { name: 'Elo', values: history.map((moment) => moment.elo), color: KINDS[0], digits: 1 },
    { name: '−95 %', values: history.map((moment) => moment.elo - moment.error), isEdge: true, digits: 1 },
    { name: '+95 %', values: history.map((moment) => moment.elo + moment.error), isEdge: true, digits: 1 },
  ], [history]);
  const llr = useMemo<Curve[]>(() => sprt ? [
    { name: 'LLR', values: history.map((moment) => moment.llr), color: KINDS[2] },
    { name: 'accept', values: history.map(() => sprt.bounds[1]), color: KINDS[7], width: 1, dash: [5, 5] },
    { name: 'reject', values: history.map(() => sprt.bounds[0]), color: KINDS[5], width: 1, dash: [5, 5] },
  ] : [], [history]);
  const pairing = pairings[0];
  return (
    <div class="match-charts">
      <div class="card">
        {sprt && <TestGauge details={details} />}
        {sprt && <Chart label="Log-likelihood ratio over games" unit="games" x={x} curves={llr} testid="llr-chart" />}
      </div>
      <div class="card"><Chart label={`Elo of ${details.engines[0].name}, with its 95 % band`} unit="games" x={x} curves={elo} testid="elo-chart" /></div>
      <div class="card">
        <h3>Pairs by points of {details.engines[0].name}</h3>
        {pairing ? <Pentanomial pairing={pairing} /> : <p class="faint">No pair is over yet.</p>}
      </div>
    </div>
  );
}

function Pentanomial({ pairing }: { pairing: Pairing }) {
  const most = Math.max(1, ...pairing.ptnml);
  return (
    <>
      <div class="pentanomial" data-testid="ptnml" data-pairs={pairing.ptnml.join(',')}>
        {['0', '½', '1', '1½', '2'].map((points, i) => (
          <div key={points}>
            <span class="number">{pairing.ptnml[i]}</span>
            <i style={{ height: `${(100 * pairing.ptnml[i]) / most}%`, background: KINDS[[5, 1, 7, 4, 0][i]] }} />
            <span>{points}</span>
          </div>
        ))}
      </div>
      <p class="number">+{pairing.wins} ={pairing.draws} −{pairing.losses}{pairing.estimate ? `, Elo ${signed(pairing.estimate.elo, 1)} ± ${pairing.estimate.error.toFixed(1)}, ${(100 * pairing.estimate.los).toFixed(1)} % stronger` : ''}</p>
    </>
  );
}

/** Each opponent of the first engine: what parts are worth, or how levels were met. */
function Bars({ details }: { details: RunDetails }) {
  const { pairings, rating } = details.digest;
  const extent = Math.max(10, ...pairings.map(({ estimate }) => (estimate ? Math.min(800, Math.abs(estimate.elo) + estimate.error) : 0)));
  const at = (elo: number) => 50 + (50 * Math.max(-extent, Math.min(extent, elo))) / extent;
  return (
    <div class="card">
      <h3>Elo of {details.engines[0].name} against each, with its 95 % error</h3>
      {rating && <p data-testid="rating">By all games: <b class="number">{rating[0].toFixed(0)} ± {rating[1].toFixed(0)}</b> on the opponent's scale.</p>}
      <table class="elo-bars" data-testid="elo-bars">
        <tbody>
          {pairings.map(({ engines: [first, second], wins, draws, losses, estimate }) => (
            <tr key={`${first} ${second}`}>
              <td>{first ? `${details.engines[first].name} – ` : ''}{details.engines[second]?.name}</td>
              <td class="number faint">+{wins} ={draws} −{losses}</td>
              <td class="elo-bar">
                <i class="zero" />
                {estimate && (
                  <>
                    <i class={estimate.elo < 0 ? 'negative' : 'positive'} style={{ left: `${Math.min(50, at(estimate.elo))}%`, width: `${Math.abs(at(estimate.elo) - 50)}%` }} />
                    <i class="whisker" style={{ left: `${at(estimate.elo - estimate.error)}%`, width: `${at(estimate.elo + estimate.error) - at(estimate.elo - estimate.error)}%` }} />
                  </>
                )}
              </td>
              <td class="number">{estimate ? `${signed(estimate.elo, 0)} ± ${estimate.error.toFixed(0)}` : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** By how much a number changed, beside its size. */
function travelled(curve: CurveData): number {
  const values = curve.points.map(([, value]) => value);
  return (Math.max(...values) - Math.min(...values)) / (1 + Math.abs(values[0] ?? 0));
}

/** So many curves fit one picture. */
const TOGETHER = 8;

function Curves({ id, version }: { id: number; version: number }) {
  const curves = useAnswer(`${id} ${version}`, () => get<CurveData[]>(`runs/${id}/curves`)) ?? [];
  const [chosen, setChosen] = useState<string[] | null>(null);
  const isLoss = (curve: CurveData) => curve.name.includes('loss');
  const losses = curves.filter(isLoss);
  // What moved most is looked at first
  const others = curves.filter((curve) => !isLoss(curve)).sort((a, b) => travelled(b) - travelled(a));
  const shown = chosen ?? others.slice(0, TOGETHER).map((curve) => curve.name);
  const toggle = (name: string) => setChosen(shown.includes(name) ? shown.filter((other) => other !== name) : [...shown, name].slice(-TOGETHER));
  return (
    <>
      {losses.length > 0 && <div class="card"><Together label="Loss by epoch" unit="epoch" curves={losses} digits={6} /></div>}
      {others.length > 0 && (
        <div class="card">
          <Together label="Parameters" unit="step" curves={others.filter((curve) => shown.includes(curve.name))} digits={2} />
          <div class="curve-names">
            {others.map((curve) => (
              <label key={curve.name} class="check"><input type="checkbox" checked={shown.includes(curve.name)} onChange={() => toggle(curve.name)} />{curve.name}</label>
            ))}
          </div>
        </div>
      )}
    </>
  );
}

function Together({ label, unit, curves, digits }: { label: string; unit: string; curves: CurveData[]; digits: number }) {
  const [x, lines] = useMemo(() => {
    const steps = [...new Set(curves.flatMap((curve) => curve.points.map(([step]) => step)))].sort((a, b) => a - b);
    const made = curves.map<Curve>((curve) => {
      const known = new Map(curve.points);
      return { name: curve.name, values: steps.map((step) => known.get(step) ?? null), digits };
    });
    return [steps, made] as const;
  }, [curves]);
  return <Chart label={label} unit={unit} x={x} curves={lines} testid="curves-chart" />;
}

const PAGE = 50;

function Games({ details, total }: { details: RunDetails; total: number }) {
  const [from, setFrom] = useState(0);
  const [shown, setShown] = useState<{ pair: number; game: number; details: GameDetails } | null>(null);
  const id = details.summary.id;
  const address = `runs/${id}/games?from=${from}&count=${PAGE}`;
  const page = useAnswer(`${address} of ${total}`, () => get<GamesPage>(address));
  const open = async (pair: number, number: number) => {
    try {
      const found = await get<GameDetails>(`runs/${id}/games/${pair}/${number}`);
      setShown({ pair, game: number, details: found });
      const tags: [string, string][] = [['White', found.white], ['Black', found.black], ['Result', found.result], ['Round', `${pair}.${number}`]];
      setGame({ fen: found.fen, moves: found.moves, tags }, 0);
    } catch (error) {
      tell(error);
    }
  };
  const last = Math.floor(Math.max(0, total - 1) / PAGE) * PAGE;
  const name = (engine: number) => details.engines[engine]?.name ?? '?';
  const score = shown && ply.value > 0 ? shown.details.scores[ply.value - 1] : null;
  return (
    <div class="card games">
      <div>
        <div class="row">
          <h3>{total.toLocaleString('en')} games</h3>
          <button disabled={from === 0} onClick={() => setFrom(0)} aria-label="First page">|◀</button>
          <button disabled={from === 0} onClick={() => setFrom(Math.max(0, from - PAGE))} aria-label="Page before">◀</button>
          <label>
            <span class="sr">From game</span>
            <input type="number" min={1} max={total} value={from + 1} onChange={(event) => setFrom(Math.max(0, Math.min(last, Math.floor((Number(event.currentTarget.value) - 1) / PAGE) * PAGE)))} data-testid="games-from" />
          </label>
          <button disabled={from >= last} onClick={() => setFrom(from + PAGE)} aria-label="Next page" data-testid="games-next">▶</button>
          <button disabled={from >= last} onClick={() => setFrom(last)} aria-label="Last page" data-testid="games-last">▶|</button>
        </div>
        <div class="game-table">
          <table>
            <thead><tr><th>Game</th><th>White</th><th>Black</th><th class="number">Result</th><th>How</th></tr></thead>
            <tbody data-testid="games">
              {page?.games.map((row) => (
                <tr key={`${row.pair}.${row.game}`} class={shown?.pair === row.pair && shown.game === row.game ? 'lit' : ''}>
                  <td><button onClick={() => void open(row.pair, row.game)}>{row.pair + 1}.{row.game + 1}</button></td>
                  <td>{name(row.white)}</td>
                  <td>{name(row.black)}</td>
                  <td class="number">{row.result}</td>
                  <td class={row.is_incident ? 'incident' : 'faint'}>{row.reason}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      {shown && (
        <div class="replay" data-testid="replay">
          <p><b>{shown.details.white}</b> – <b>{shown.details.black}</b> {shown.details.result}, {shown.details.reason}</p>
          <Board position={position.value} isFlipped={isFlipped.value} lastMove={ply.value ? game.value.moves[ply.value - 1] : undefined} />
          <GameButtons />
          <p class="number hint">{ply.value > 0 ? `${score === null ? 'no score' : `the engine said ${pawns(score)}`} in ${shown.details.seconds[ply.value - 1]?.toFixed(3)} s` : ''}</p>
          <MoveList />
          <button onClick={() => go('analyse')}>Open in Analyse</button>
        </div>
      )}
    </div>
  );
}
