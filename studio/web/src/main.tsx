// The frame: the five views, the weights in use, light and dark, and keys that work everywhere.

import '@lichess-org/chessground/assets/chessground.base.css';
import '@lichess-org/chessground/assets/chessground.cburnett.css';
import './style.css';
import { render } from 'preact';
import { useEffect } from 'preact/hooks';
import { WeightsSelect } from './parts/weights';
import { type Theme, VIEWS, type View, begin, catalogue, go, isConnected, route, tell, theme, trouble } from './state';
import { Analyse } from './views/analyse';
import { Explain } from './views/explain';
import { Laboratory } from './views/laboratory';
import { Play } from './views/play';
import { Tables } from './views/tables';

const TITLES: Record<View, string> = {
  analyse: 'Analyse',
  explain: 'Explain',
  tables: 'Tables',
  laboratory: 'Laboratory',
  play: 'Play',
};
const PAGES: Record<View, () => preact.JSX.Element> = {
  analyse: Analyse,
  explain: Explain,
  tables: Tables,
  laboratory: Laboratory,
  play: Play,
};

/** Alt and a digit chooses a view from wherever one is. */
function keys(event: KeyboardEvent) {
  const view = VIEWS[Number(event.key) - 1];
  if (event.altKey && view) {
    event.preventDefault();
    go(view);
  }
}

function App() {
  const { view } = route.value;
  useEffect(() => {
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, []);
  useEffect(() => {
    document.title = `${TITLES[view]} · Marquetry studio`;
    scrollTo(0, 0);
  }, [view]);
  const Page = PAGES[view];
  return (
    <>
      <header>
        <a class="brand" href="#/analyse">
          <img src="/icon.svg" alt="" width="26" height="26" />
          <span>Marquetry</span>
        </a>
        <nav aria-label="Views">
          {VIEWS.map((name, number) => (
            <a key={name} href={`#/${name}`} aria-current={name === view ? 'page' : undefined} title={`Alt+${number + 1}`}>
              {TITLES[name]}
            </a>
          ))}
        </nav>
        <div class="header-end">
          <WeightsSelect />
          <label class="theme">
            <span class="sr">Light or dark</span>
            <select value={theme.value} onChange={(event) => (theme.value = event.currentTarget.value as Theme)}>
              <option value="system">System</option>
              <option value="light">Light</option>
              <option value="dark">Dark</option>
            </select>
          </label>
        </div>
      </header>
      <main id={view}>{catalogue.value ? <Page /> : <p class="waiting">Asking the engine …</p>}</main>
      <div class={`notice ${trouble.value || !isConnected.value ? 'shown' : ''}`} role="status" aria-live="polite">
        {trouble.value || (isConnected.value ? '' : 'The server does not answer; trying again …')}
        {trouble.value && <button onClick={() => (trouble.value = '')}>Close</button>}
      </div>
    </>
  );
}

const place = document.getElementById('app');
if (place) render(<App />, place);
begin().catch(tell);
