/**
 * The picture of a claim's two times: when each fact took effect, when it was learned, and what the claim was worth on each day. Pure
 * functions of the claim's facts and valuations, for a page, a document or an app.
 */

import { escapeText } from './amounts';
import { layOutTurned, layOutWide, type Scene } from './layout';
import { keyOf, renderScene } from './picture';
import type { Axis, Story, View } from './story';
import { instantText, presetsOf, sentenceOf, tableOf } from './words';

export { amountText, escapeText } from './amounts';
export type { Scene } from './layout';
export type { Amounts, Axis, Step, Story, StoryFact, View } from './story';
export { instantText, moved, presetsOf, rowsOfTable, sentenceOf } from './words';

/** The widths in pixels for which a picture is laid out, and the class of each. The stylesheet shows the one that fits. */
const WIDTHS = { turned: 288, medium: 640, wide: 1_000 } as const;

export type Layout = keyof typeof WIDTHS;

/**
 * Lays out the picture of a claim. A scene does not depend on the cutoffs.
 *
 * @throws RangeError if the runtime does not know the story's time zone
 */
export function layOut(story: Story, layout: Layout): Scene {
  return layout === 'turned' ? layOutTurned(story, WIDTHS.turned) : layOutWide(story, WIDTHS[layout]);
}

/** Returns the scenes of all layouts. */
export function scenesOf(story: Story): Readonly<Record<Layout, Scene>> {
  return {
    wide: layOut(story, 'wide'),
    medium: layOut(story, 'medium'),
    turned: layOut(story, 'turned'),
  };
}

/**
 * Renders one picture as an SVG element.
 *
 * @example renderPicture(story, 'wide', { at: Date.parse('2026-11-07T20:59:59.999Z'), other: null, axis: 'known_then' })
 */
export function renderPicture(
  story: Story,
  layout: Layout,
  view: View,
  scene = layOut(story, layout),
): string {
  return renderScene(scene, story, view, `tt-picture tt-for-${layout}`);
}

/**
 * Renders one picture as an SVG file that contains its styles, for documents. It has the colours of the reader's scheme.
 *
 * @param css the stylesheet `two-times.css` of `@carecover/two-times/assets`
 */
export function renderStandalone(story: Story, layout: Layout, view: View, css: string): string {
  const { width, height } = layOut(story, layout);
  // In a file the picture is shown at its own size and not by the width of a container.
  const style = `<style>${css}\n.tt-picture { display: block; color-scheme: light dark; background: var(--tt-ground); }</style>`;
  const scene = renderPicture(story, layout, view);
  return `${scene
    .replace('class="tt-picture', `width="${width}" height="${height}" class="two-times tt-picture`)
    // The title stays the first child, from which a viewer takes the name of the picture.
    .replace('</title>', `</title>${style}`)}\n`;
}

/**
 * Renders the pictures of a view for all widths as HTML; the stylesheet shows one of them. Nothing in them can be focused, so that they can be
 * replaced at each move.
 */
export function renderPictures(story: Story, view: View, scenes = scenesOf(story)): string {
  return (['wide', 'medium', 'turned'] as const)
    .map((layout) => renderPicture(story, layout, view, scenes[layout]))
    .join('');
}

/** Renders the key of the band and the table of differences as HTML. */
export function renderDetails(story: Story, view: View): string {
  return keyOf(story, view) + tableOf(story, view);
}

/** Where the component is shown. */
export interface Surroundings {
  /** The path of the page that shows a view: its query has the parameters `at`, `compare` and `known`. */
  readonly address: string;
}

/** Returns the query of a view. Cutoff A is omitted if it is now, so that the address keeps its meaning later. */
export function queryOf(story: Story, { at, other, axis }: View): string {
  return new URLSearchParams({
    ...(at === Date.parse(story.now) ? {} : { at: new Date(at).toISOString() }),
    ...(other === null ? {} : { compare: new Date(other).toISOString() }),
    ...(axis === 'known_now' ? { known: 'now' } : {}),
  }).toString();
}

/** Returns the axis that the parameter `known` of an address selects: `now`, or anything else for what was known then. */
export function axisOf(known: string | null): Axis {
  return known === 'now' ? 'known_now' : 'known_then';
}

/** Renders links that change a part of the view. The script of the page follows them without a request. */
function links(
  heading: string,
  story: Story,
  view: View,
  address: string,
  choices: readonly { readonly label: string; readonly set: Partial<View> }[],
): string {
  const current = queryOf(story, view);
  const items = choices.map(({ label, set }) => {
    const query = queryOf(story, { ...view, ...set });
    const changes = new URLSearchParams();
    if (set.at !== undefined)
      changes.set('at', set.at === Date.parse(story.now) ? '' : new Date(set.at).toISOString());
    if (set.other !== undefined)
      changes.set('compare', set.other === null ? '' : new Date(set.other).toISOString());
    if (set.axis !== undefined) changes.set('known', set.axis === 'known_now' ? 'now' : '');
    const state = query === current ? ' aria-current="true"' : '';
    const href = query === '' ? address : `${address}?${query}`;
    return `<a href="${escapeText(href)}" data-set="${escapeText(changes.toString())}"${state}>${escapeText(label)}</a>`;
  });
  return `<p class="tt-links"><span>${escapeText(heading)}</span> ${items.join(' ')}</p>`;
}

function slider(name: 'a' | 'b', label: string, story: Story, scene: Scene, at: number | null): string {
  const now = Date.parse(story.now);
  const text = at === null ? 'no comparison' : instantText(story, at);
  return `<label for="slider-${name}" data-for-script hidden>${label}</label><input id="slider-${name}" type="range" min="${scene.from}" max="${now}" step="1" value="${at ?? now}" aria-valuetext="${escapeText(text)}" hidden>`;
}

function choicesOf(story: Story, view: View, { address }: Surroundings): string {
  const presets = presetsOf(story, view.axis);
  const rows = [
    links(
      'Show A:',
      story,
      view,
      address,
      presets.map(({ label, at }) => ({ label, set: { at } })),
    ),
    links('Compare with B:', story, view, address, [
      { label: 'nothing', set: { other: null } },
      ...presets.slice(1).map(({ label, at }) => ({ label, set: { other: at } })),
    ]),
    links('Amounts:', story, view, address, [
      { label: 'as known then', set: { axis: 'known_then' } },
      { label: 'as known now', set: { axis: 'known_now' } },
    ]),
  ];
  return `<div class="tt-choices">${rows.join('')}</div>`;
}

function formOf(story: Story, view: View, { address }: Surroundings, scene: Scene): string {
  const iso = (at: number | null) => (at === null ? '' : new Date(at).toISOString());
  const field = (name: string, label: string, value: string) =>
    `<label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" spellcheck="false" autocomplete="off">`;
  return [
    `<form class="tt-form" method="get" action="${escapeText(address)}" id="cutoffs">`,
    slider('a', 'Move A (or drag in the picture)', story, scene, view.at),
    slider('b', 'Move B (the same with Shift)', story, scene, view.other),
    '<p class="tt-hint" data-for-script hidden>Keys: ← → the fact before and after, Page Down and Page Up a day, Home and End the ends.</p>',
    `<div class="tt-fields">${field('at', 'A at', iso(view.at))}${field('compare', 'B at (optional)', iso(view.other))}`,
    `<input type="hidden" name="known" value="${view.axis === 'known_now' ? 'now' : 'then'}">`,
    '<button type="submit">Show</button></div></form>',
  ].join('');
}

/**
 * Renders the whole component as HTML: the controls, the sentence, and the view. It needs the files of `@carecover/two-times/assets`. Without
 * the script, its links and its form request the page of another view.
 *
 * @example renderTwoTimes(story, { at: Date.parse(story.now), other: null, axis: 'known_then' }, { address: '/claims/clm_1' })
 */
export function renderTwoTimes(story: Story, view: View, surroundings: Surroundings): string {
  const scenes = scenesOf(story);
  return [
    `<div class="two-times" id="two-times" data-story="${escapeText(JSON.stringify(story))}">`,
    choicesOf(story, view, surroundings),
    `<p class="tt-sentence" id="sentence" role="status">${escapeText(sentenceOf(story, view))}</p>`,
    `<div id="view" data-at="${new Date(view.at).toISOString()}">${renderPictures(story, view, scenes)}</div>`,
    formOf(story, view, surroundings, scenes.wide),
    `<div id="details">${renderDetails(story, view)}</div></div>`,
  ].join('');
}
