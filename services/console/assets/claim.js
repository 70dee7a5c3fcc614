// The slider on the page of a claim. For the cutoff that it selects, it loads the charts that the server renders, and writes the cutoff to
// the page's address.
const form = document.querySelector('#cutoffs');
const slider = document.querySelector('#slider');
const at = document.querySelector('#at');
const status = document.querySelector('#shown-cutoff');
const PAUSE_MS = 100;
// An arrow key moves the slider by this part of its range, because its own step is one millisecond.
const STEPS = 100;
const DIRECTIONS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };
let isLoading = false;
let shown = null;

function report(text) {
  document.querySelector('#picture').textContent = text;
  status.textContent = text;
}

async function load(cutoff) {
  // After a rejected form the address of the document is that of the act. The form has the address of the page.
  const address = new URL(form.action);
  address.search = location.search;
  address.searchParams.set('at', cutoff);
  const part = new URL(address);
  part.searchParams.set('part', 'picture');
  const response = await fetch(part, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const picture = page.querySelector('#picture');
  if (picture === null) {
    const reason = page.querySelector('main p')?.textContent ?? '';
    report(`The amounts could not be loaded. ${reason}`);
    return;
  }
  document.querySelector('#picture').replaceWith(picture);
  status.textContent = picture.dataset.summary;
  history.replaceState(null, '', address);
}

// Sends one request at a time and pauses after each. Cutoffs that the slider passes during a request or a pause are not requested.
async function show() {
  at.value = new Date(Number(slider.value)).toISOString();
  // A screen reader reads this text instead of the slider's value, which is a number of milliseconds.
  slider.setAttribute('aria-valuetext', at.value.replace('T', ' ').replace('Z', ' UTC'));
  if (isLoading) return;
  isLoading = true;
  while (shown !== slider.value) {
    shown = slider.value;
    try {
      await load(new Date(Number(shown)).toISOString());
    } catch {
      report('The amounts could not be loaded. Move the slider again.');
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  isLoading = false;
}

function moveByKey(event) {
  const direction = DIRECTIONS[event.key];
  if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const step = Math.max(1, Math.round((Number(slider.max) - Number(slider.min)) / STEPS));
  // The browser keeps the value within the slider's range.
  slider.value = String(Number(slider.value) + direction * step);
  show();
}

slider.hidden = false;
slider.addEventListener('input', show);
slider.addEventListener('keydown', moveByKey);
