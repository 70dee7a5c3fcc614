/**
 * The script of the MCP app `ui://carecover/claim-slider`: the picture of a claim's two times in a conversation. It reads valuations by the tool
 * `value_claim`, through the host. It has no network, and calculates no valuation.
 */
import { type Axis, renderTwoTimes, type Step, type Story } from '.';
import { type App, startApp } from './app-host';
import { type Cutoffs, cutoffsOf, instantsOf, storyOf, type Valuation } from './app-story';
import { startTwoTimes } from './interaction';

/** How many valuations are read at a time. */
const CONCURRENCY = 4;
/** The most valuations that are read: each counts as a request for the project's limit. */
const MAX_VALUATIONS = 120;

async function value({ callTool }: App, claim: string, cutoffs: Cutoffs): Promise<Valuation> {
  return (await callTool('value_claim', { claim_id: claim, ...cutoffs })) as Valuation;
}

/** Reads the valuation of now. If the clock of this device is wrong, it is that of the tool's result. */
async function valueNow(app: App, shown: Valuation): Promise<Valuation> {
  const now = Date.now();
  if (now <= Date.parse(shown.valuation_at)) return shown;
  return value(app, shown.claim_id, { valuation_at: new Date(now).toISOString() }).catch(() => shown);
}

/** Returns null for the error of a cutoff at which the claim did not exist. @throws other errors */
function ifUnknown(error: unknown): null {
  if (error instanceof Error && error.message.startsWith('resource_not_found')) return null;
  throw error;
}

/** Reads the steps of an axis. @param count is called after each valuation */
async function readSteps(app: App, latest: Valuation, axis: Axis, count: () => void): Promise<Step[]> {
  const instants = instantsOf(latest, axis);
  const steps: Step[] = [];
  for (let index = 0; index < instants.length; index += CONCURRENCY) {
    const read = instants.slice(index, index + CONCURRENCY).map(async (at) => {
      const cutoffs = cutoffsOf(axis, at, latest.valuation_at);
      const valued = await value(app, latest.claim_id, cutoffs).catch(ifUnknown);
      count();
      return valued === null ? [] : [{ at, status: valued.status, amount: valued.amount }];
    });
    steps.push(...(await Promise.all(read)).flat());
  }
  return steps;
}

async function readStory(app: App, shown: Valuation, isCurrent: () => boolean): Promise<Story> {
  const latest = await valueNow(app, shown);
  const total = instantsOf(latest, 'known_then').length + instantsOf(latest, 'known_now').length;
  if (total > MAX_VALUATIONS)
    throw new Error(
      `The claim has ${latest.events.length} facts, too many for this picture. The console shows it.`,
    );
  let read = 0;
  const count = () => {
    read += 1;
    if (isCurrent()) app.showText(`Reading the valuations of the claim: ${read} of ${total}.`);
  };
  const knownThen = await readSteps(app, latest, 'known_then', count);
  const knownNow = await readSteps(app, latest, 'known_now', count);
  return storyOf(latest, knownThen, knownNow, app.timeZone());
}

/** Shows the picture with cutoff A at that of the tool's result. */
async function show(app: App, result: unknown, isCurrent: () => boolean): Promise<void> {
  const { root } = app;
  const shown = result as Valuation;
  const story = await readStory(app, shown, isCurrent);
  if (!isCurrent()) return;
  const view = { at: Date.parse(shown.valuation_at), other: null, axis: 'known_then' as const };
  root.innerHTML = `<h1></h1>${renderTwoTimes(story, view, { address: '#' })}`;
  const heading = root.querySelector('h1');
  if (heading !== null)
    heading.textContent = `Claim ${shown.claim_id}, dates in ${story.time_zone.replaceAll('_', ' ')}`;
  const component = root.querySelector<HTMLElement>('#two-times');
  if (component !== null) startTwoTimes(component, 'app');
}

startApp({
  name: 'carecover-claim-slider',
  title: 'Two times of a claim',
  reading: 'Reading the claim…',
  cancelled: 'The valuation was cancelled.',
  show,
});
