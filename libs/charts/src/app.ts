/**
 * The script of the MCP app `ui://carecover/triangle`: a valuation run in a conversation, as a heat map and development curves, or as tables of
 * totals and groups. It reads a run that is not ready again by the tool `get_valuation_run`, through the host. It has no network, and
 * calculates no sum.
 */
import type { ValuationRun } from '@carecover/contract';
import { type App, startApp } from '@carecover/two-times/app-host';
import { cellsOf, isMove, moved } from './cells';
import { groupTable, totalsTable, triangleTable } from './run-tables';
import { escapeHtml, type Measure, type Triangle, triangleSections, wordsOf } from './triangle-sections';

/** How long the app waits before it reads a pending run again, in milliseconds, and how often. Each read counts for the project's limit. */
const READ_AGAIN_MS = 3_000;
const MAX_READS = 40;

/** A run as the tool returns it: its groups are a part of all. */
type ShownRun = ValuationRun & { readonly group_count: number };

/** One measure of a triangle in one currency. */
interface Choice {
  readonly currency: string;
  readonly measure: Measure;
}

/** Writes an instant of a response, which is in UTC. */
function instantText(instant: string): string {
  return instant.replace('T', ' ').replace('Z', ' UTC');
}

function find<E extends Element>(root: ParentNode, selector: string): E {
  const element = root.querySelector<E>(selector);
  if (element === null) throw new Error(`the app has no ${selector}`);
  return element;
}

/** Adds the frame around the chosen cell to a heat map. It is the last element, so that no other cell covers it. */
function addFrame(svg: Element): SVGRectElement {
  const frame = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  frame.setAttribute('class', 'chosen-cell');
  svg.append(frame);
  return frame;
}

/** Makes the cells of the heat map and the points of the curves selectable, by keys and by clicks. */
function startChoice(root: HTMLElement, { measure }: Choice): void {
  const cells = cellsOf(measure.rows);
  if (cells.length === 0) return;
  const [map, curves] = root.querySelectorAll<HTMLElement>('section > .scroll');
  if (map === undefined || curves === undefined) throw new Error('the app has no drawings');
  const groups = [...map.querySelectorAll('g')];
  const points = [...curves.querySelectorAll('circle')];
  const frame = addFrame(find(map, 'svg'));
  const text = find<HTMLElement>(root, '#cell');
  let chosen = 0;

  function choose(index: number): void {
    points[chosen]?.classList.remove('chosen-point');
    chosen = index;
    const [group, point] = [groups[index], points[index]];
    if (group === undefined || point === undefined) return;
    const rect = find(group, 'rect');
    for (const name of ['x', 'y', 'width', 'height']) frame.setAttribute(name, rect.getAttribute(name) ?? '');
    point.classList.add('chosen-point');
    text.textContent = `${wordsOf(measure.measure)}, ${point.textContent}`;
  }

  for (const drawing of [map, curves]) {
    drawing.setAttribute('aria-describedby', 'keys');
    drawing.addEventListener('keydown', (event) => {
      if (!isMove(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      choose(moved(cells, chosen, event.key));
      const shown = drawing === map ? frame : points[chosen];
      shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    });
    drawing.addEventListener('click', (event) => {
      const { target } = event;
      const index = [groups, points].map((all) => all.findIndex((each) => each.contains(target as Element)));
      const found = Math.max(...index);
      if (found >= 0) choose(found);
    });
  }
  // The newest value of the oldest period, which has developed for the longest time.
  choose(moved(cells, 0, 'End'));
}

function showTriangle(root: HTMLElement, triangle: Triangle): void {
  const choices: Choice[] = triangle.currencies.flatMap(({ currency, measures }) =>
    measures.map((measure) => ({ currency, measure })),
  );
  const [first] = choices;
  if (first === undefined) {
    root.insertAdjacentHTML('beforeend', '<p>There are no claims.</p>');
    return;
  }
  const options = choices.map(
    ({ currency, measure }, index) =>
      `<option value="${index}">${escapeHtml(`${wordsOf(measure.measure)}, ${currency}`)}</option>`,
  );
  root.insertAdjacentHTML(
    'beforeend',
    `<p class="quiet">Rows are the periods in which services start, columns the valuation dates.</p>
<p><label for="measure">Show</label> <select id="measure">${options.join('')}</select></p>
<p id="cell" role="status"></p>
<p id="keys" class="quiet">Keys in a drawing: arrows choose the value beside, Home and End the ends of the row, Page Up and Page Down those of the column.</p>
<div id="drawing" class="triangle"></div>
<details><summary>All values as a table</summary><div id="values"></div></details>`,
  );
  const [select, drawing, values] = [
    find<HTMLSelectElement>(root, '#measure'),
    find<HTMLElement>(root, '#drawing'),
    find<HTMLElement>(root, '#values'),
  ];
  function draw({ currency, measure }: Choice): void {
    drawing.innerHTML = triangleSections({ ...triangle, currencies: [{ currency, measures: [measure] }] });
    values.innerHTML = triangleTable(triangle, measure, currency);
    startChoice(root, { currency, measure });
  }
  select.addEventListener('change', () => draw(choices[Number(select.value)] ?? first));
  draw(first);
}

/** Reads the run until it has ended. @throws Error if it takes too long */
async function readEnded(app: App, shown: ShownRun, isCurrent: () => boolean): Promise<ShownRun> {
  let run = shown;
  for (let reads = 0; run.status === 'pending' && isCurrent(); reads += 1) {
    if (reads === MAX_READS)
      throw new Error(`The run ${run.id} is at ${run.progress} %. Read it again later.`);
    app.showText(`The run is at ${run.progress} %.`);
    await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
    if (isCurrent())
      run = (await app.callTool('get_valuation_run', { valuation_run_id: run.id })) as ShownRun;
  }
  return run;
}

async function show(app: App, result: unknown, isCurrent: () => boolean): Promise<void> {
  const run = await readEnded(app, result as ShownRun, isCurrent);
  if (!isCurrent()) return;
  const { root } = app;
  if (run.status === 'failed') {
    app.showText(`The run ${run.id} failed. ${run.failure ?? ''}`);
    return;
  }
  const hash =
    run.result_sha256 === null ? '' : `, SHA-256 of the result <code>${escapeHtml(run.result_sha256)}</code>`;
  const title = run.triangle === null ? 'Valuation of all claims' : 'Development triangle';
  const cutoffs = `Known at ${instantText(run.valuation_at)}, in effect through ${instantText(run.effective_through)}.`;
  root.innerHTML = `<h1>${title}</h1><p class="quiet">${escapeHtml(cutoffs)}</p><p class="quiet"><code>${escapeHtml(run.id)}</code>${hash}</p>`;
  if (run.triangle !== null) {
    showTriangle(root, run.triangle);
    return;
  }
  root.insertAdjacentHTML('beforeend', totalsTable(run.totals));
  if (run.groups.length > 0)
    root.insertAdjacentHTML('beforeend', groupTable(run.groups, run.group_by, run.group_count));
}

startApp({
  name: 'carecover-triangle',
  title: 'Development triangle',
  reading: 'Reading the run…',
  cancelled: 'The call was cancelled.',
  show,
});
