// The slider of a claim. It shows the server's picture at each cutoff, and keeps the cutoff in the address.
const slider = document.querySelector('#slider');
const at = document.querySelector('#at');
let latest = 0;

async function show() {
  const cutoff = new Date(Number(slider.value)).toISOString();
  const address = new URL(location.href);
  address.searchParams.set('at', cutoff);
  at.value = cutoff;
  latest += 1;
  const mine = latest;
  const response = await fetch(address, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const picture = page.querySelector('#picture');
  // An older response must not replace a newer one.
  if (picture === null || mine !== latest) return;
  document.querySelector('#picture').replaceWith(picture);
  history.replaceState(null, '', address);
}

slider.hidden = false;
slider.addEventListener('input', show);
