// Shows the result of the amounts while a person types, as the server computes it. Of a form that can be executed at once, it marks the result as
// seen: the server asks for no further confirmation of a result that the page shows.
const PAUSE_MS = 120;
const form = document.querySelector('form[data-result]');
const confirmed = form?.elements.namedItem('confirmed') ?? null;
let latest = 0;
let timer;

function mark(basis) {
  if (confirmed !== null) confirmed.value = basis;
}

/** Loads the result of the form. An answer to an earlier state of the form is dropped. */
async function load() {
  clearTimeout(timer);
  const number = ++latest;
  mark('');
  const address = new URL(form.dataset.result, location.href);
  for (const field of form.querySelectorAll('.amounts input'))
    if (field.type !== 'checkbox' || field.checked) address.searchParams.append(field.name, field.value);
  address.searchParams.set('part', 'result');
  const response = await fetch(address, { headers: { Accept: 'text/html' } });
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const result = page.querySelector('#result');
  // Without a result the server shows the result before it executes the act.
  if (result === null || number !== latest) return;
  document.querySelector('#result').replaceWith(result);
  mark(result.dataset.confirmed ?? '');
}

if (form !== null) {
  // Enter in a field presses the default button. It shows the effect first, so that a key pressed by mistake executes nothing.
  form.addEventListener('submit', (event) => {
    if (event.submitter?.classList.contains('default')) mark('');
  });
  form.addEventListener('input', (event) => {
    if (event.target.closest('.amounts') === null) return;
    mark('');
    clearTimeout(timer);
    timer = setTimeout(load, PAUSE_MS);
  });
  load();
}
