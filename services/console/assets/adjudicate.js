// Shows the result of the amounts while a person types, as the server computes it, and marks it as seen: the server asks for no further
// confirmation of a result that the page shows.
const PAUSE_MS = 120;
const form = document.querySelector('form[data-result]');
let latest = 0;
let timer;

/** Loads the result of the form. An answer to an earlier state of the form is dropped. */
async function load() {
  clearTimeout(timer);
  const number = ++latest;
  form.elements.namedItem('confirmed').value = '';
  const address = new URL(form.dataset.result, location.href);
  for (const field of form.querySelectorAll('.amounts input'))
    address.searchParams.set(field.name, field.value);
  address.searchParams.set('part', 'result');
  const response = await fetch(address, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const result = page.querySelector('#result');
  // Without a result the server shows the result before it executes the act.
  if (result === null || number !== latest) return;
  document.querySelector('#result').replaceWith(result);
  form.elements.namedItem('confirmed').value = result.dataset.confirmed;
}

/** Fills in what is billed, or nothing, on every line. */
function fill(button) {
  for (const line of form.querySelectorAll('fieldset[data-billed]')) {
    const value = button.dataset.fill === 'billed' ? line.dataset.major : '0.00';
    const [allowed, payer, ...others] = line.querySelectorAll('input');
    allowed.value = value;
    payer.value = value;
    for (const other of others) other.value = '';
  }
  load();
  form.querySelector('button.main').focus();
}

form.addEventListener('input', (event) => {
  if (event.target.closest('.amounts') === null) return;
  form.elements.namedItem('confirmed').value = '';
  clearTimeout(timer);
  timer = setTimeout(load, PAUSE_MS);
});
for (const button of form.querySelectorAll('button[data-fill]'))
  button.addEventListener('click', (event) => {
    event.preventDefault();
    fill(button);
  });
load();
