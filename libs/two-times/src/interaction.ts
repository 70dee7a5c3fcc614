/**
 * Moves the cutoffs of the component by pointer, keys and links, without requests.
 *
 * The document has an element `#two-times` with the story as JSON in `data-story`, and in it `#cutoffs` (a form with the fields `at`, `compare` and
 * `known`, whose action is the address of the page), `#slider-a` and `#slider-b`, `#sentence`, `#view` and `#details`. Links with `data-set` change the parameters of
 * the address that it names.
 */
import {
  axisOf,
  instantText,
  moved,
  queryOf,
  renderDetails,
  renderPictures,
  type Scene,
  type Story,
  scenesOf,
  sentenceOf,
  type View,
} from '.';

/** The pixels from a fact within which a click selects the fact's instant. */
const SNAP = 5;
/** Browsers limit how often a page changes its address. */
const ADDRESS_MS = 250;

type Move = Parameters<typeof moved>[3];

const MOVES: Readonly<Record<string, Move>> = {
  ArrowLeft: 'fact-before',
  ArrowDown: 'fact-before',
  ArrowRight: 'fact-after',
  ArrowUp: 'fact-after',
  PageDown: 'day-before',
  PageUp: 'day-after',
  Home: 'first',
  End: 'now',
};

function find<E extends Element>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (element === null) throw new Error(`the page has no ${selector}`);
  return element;
}

/** Where the component is shown: in a page, whose address names the view, or in an app, which has no address. */
type Place = 'page' | 'app';

/** Makes the rendered component in `root` react to a person. */
export function startTwoTimes(root: HTMLElement, place: Place): void {
  const story: Story = JSON.parse(root.dataset.story ?? '');
  const scenes = scenesOf(story);
  const now = Date.parse(story.now);
  const { from } = scenes.wide;
  const form = find<HTMLFormElement>('#cutoffs');
  const sliders = { at: find<HTMLInputElement>('#slider-a'), other: find<HTMLInputElement>('#slider-b') };
  const sentence = find<HTMLElement>('#sentence');
  const shown = find<HTMLElement>('#view');
  const details = find<HTMLElement>('#details');
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
  let view: View = {
    at: Date.parse(field('at').value),
    other: field('compare').value === '' ? null : Date.parse(field('compare').value),
    axis: axisOf(field('known').value),
  };
  const within = (at: number) => Math.min(now, Math.max(from, Math.round(at)));
  let isScheduled = false;
  let addressTimer = 0;

  /** Returns the address of the page of a view. After a rejected form, the document has the address of the act. */
  function addressOf(each: View): string {
    const address = new URL(form.action);
    address.search = queryOf(story, each);
    return address.href;
  }

  /** Returns the view after the changes that a link names. */
  function changed(link: HTMLAnchorElement): View {
    const changes = new URLSearchParams(link.dataset.set);
    const instant = (name: string) => within(Date.parse(changes.get(name) ?? ''));
    return {
      at: !changes.has('at') ? view.at : changes.get('at') === '' ? now : instant('at'),
      other: !changes.has('compare') ? view.other : changes.get('compare') === '' ? null : instant('compare'),
      axis: !changes.has('known') ? view.axis : axisOf(changes.get('known')),
    };
  }

  function draw(): void {
    isScheduled = false;
    shown.innerHTML = renderPictures(story, view, scenes);
    details.innerHTML = renderDetails(story, view);
    sentence.textContent = sentenceOf(story, view);
    const at = new Date(view.at).toISOString();
    shown.dataset.at = at;
    field('at').value = at;
    field('compare').value = view.other === null ? '' : new Date(view.other).toISOString();
    field('known').value = view.axis === 'known_now' ? 'now' : 'then';
    for (const [slider, instant] of [
      [sliders.at, view.at],
      [sliders.other, view.other],
    ] as const) {
      slider.value = String(instant ?? now);
      // A screen reader reads this text instead of the slider's value, which is a number of milliseconds.
      slider.setAttribute('aria-valuetext', instant === null ? 'no comparison' : instantText(story, instant));
    }
    const current = addressOf(view);
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-set]')) {
      link.href = addressOf(changed(link));
      if (link.href === current) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
    }
    if (place === 'app') return;
    window.clearTimeout(addressTimer);
    addressTimer = window.setTimeout(() => history.replaceState(null, '', current), ADDRESS_MS);
  }

  function show(changes: Partial<View>): void {
    view = { ...view, ...changes };
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(draw);
  }

  for (const name of ['at', 'other'] as const) {
    const slider = sliders[name];
    slider.hidden = false;
    // A browser can restore the value that the slider had before a reload.
    slider.value = String(view[name] ?? now);
    slider.addEventListener('input', () => show({ [name]: within(Number(slider.value)) }));
    slider.addEventListener('keydown', (event) => {
      const move = MOVES[event.key];
      if (move === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      show({ [name]: moved(story, view.axis, view[name] ?? now, move, from) });
    });
  }
  for (const label of document.querySelectorAll<HTMLElement>('[data-for-script]')) label.hidden = false;

  /** Shows the instants of the fields. A frame without the permission for forms has no event `submit`. */
  function applyFields(event: Event): void {
    event.preventDefault();
    const [at, other] = [Date.parse(field('at').value), Date.parse(field('compare').value)];
    if (!Number.isNaN(at)) show({ at: within(at), other: Number.isNaN(other) ? null : within(other) });
  }
  if (place === 'app') {
    form.querySelector('button')?.addEventListener('click', applyFields);
    for (const name of ['at', 'compare'])
      field(name).addEventListener('keydown', (event) => {
        if (event.key === 'Enter') applyFields(event);
      });
  }

  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-set]');
    if (link === null || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(changed(link));
  });

  /** Returns the instant under the pointer, or that of a fact close to it. */
  function instantAt(event: PointerEvent): number | null {
    const pictures = [...shown.querySelectorAll<SVGSVGElement>('.tt-picture')];
    const picture = pictures.find((each) => each.getBoundingClientRect().width > 0);
    if (picture === undefined) return null;
    const scene: Scene | undefined = Object.values(scenes).find(
      ({ width, height }) =>
        width === picture.viewBox.baseVal.width && Math.abs(height - picture.viewBox.baseVal.height) < 1,
    );
    if (scene === undefined) return null;
    const box = picture.getBoundingClientRect();
    const position = scene.isTurned
      ? ((event.clientY - box.top) / box.height) * scene.height
      : ((event.clientX - box.left) / box.width) * scene.width;
    const pixels = scene.end - scene.start;
    const at = scene.from + ((position - scene.start) / pixels) * (scene.until - scene.from);
    const near = (SNAP / pixels) * (scene.until - scene.from);
    const facts = scene.marks.map(({ mark }) =>
      view.axis === 'known_now' ? mark.effective : Math.max(mark.effective, mark.recorded),
    );
    const close = facts.filter((fact) => Math.abs(fact - at) <= near);
    close.sort((a, b) => Math.abs(a - at) - Math.abs(b - at));
    return within(close[0] ?? at);
  }

  function drag(event: PointerEvent): void {
    const at = instantAt(event);
    if (at !== null) show(event.shiftKey ? { other: at } : { at });
  }

  let isDragging = false;
  shown.addEventListener('pointerdown', (event) => {
    const isInPicture = (event.target as Element).closest('.tt-picture') !== null;
    // A finger that moves scrolls the page; a tap is a click.
    if (!isInPicture || event.button !== 0 || event.pointerType === 'touch') return;
    isDragging = true;
    shown.setPointerCapture(event.pointerId);
    drag(event);
  });
  shown.addEventListener('pointermove', (event) => {
    if (isDragging) drag(event);
  });
  for (const end of ['pointerup', 'pointercancel'] as const)
    shown.addEventListener(end, () => {
      isDragging = false;
    });
  shown.addEventListener('click', (event) => {
    const isTap = (event as PointerEvent).pointerType === 'touch';
    if (isTap && (event.target as Element).closest('.tt-picture') !== null) drag(event as PointerEvent);
  });
}
