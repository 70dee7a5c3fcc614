// The slider on the page of a claim. For the cutoff that it selects, it loads the charts that the server renders, and writes the cutoff to
// the page's address.
const slider = document.querySelector('#slider');
const at = document.querySelector('#at');
const PAUSE_MS = 100;
let isLoading = false;
let shown = null;

async function load(cutoff) {
  const address = new URL(location.href);
  address.searchParams.set('at', cutoff);
  const part = new URL(address);
  part.searchParams.set('part', 'picture');
  const response = await fetch(part, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const picture = page.querySelector('#picture');
  if (picture === null) {
    const reason = page.querySelector('main p')?.textContent ?? '';
    document.querySelector('#picture').textContent = `The amounts could not be loaded. ${reason}`;
    return;
  }
  document.querySelector('#picture').replaceWith(picture);
  history.replaceState(null, '', address);
}

// Sends one request at a time and pauses after each. Cutoffs that the slider passes during a request or a pause are not requested.
async function show() {
  at.value = new Date(Number(slider.value)).toISOString();
  if (isLoading) return;
  isLoading = true;
  while (shown !== slider.value) {
    shown = slider.value;
    try {
      await load(new Date(Number(shown)).toISOString());
    } catch {
      document.querySelector('#picture').textContent =
        'The amounts could not be loaded. Move the slider again.';
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  isLoading = false;
}

slider.hidden = false;
slider.addEventListener('input', show);
