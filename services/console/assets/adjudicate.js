// Fills in what is billed, or nothing, on every line. The script `result.js` then shows the result.
const form = document.querySelector('form[data-result]');

function fill(button) {
  for (const line of form.querySelectorAll('fieldset[data-billed]')) {
    const value = button.dataset.fill === 'billed' ? line.dataset.major : '0.00';
    const [allowed, payer, ...others] = line.querySelectorAll('input');
    allowed.value = value;
    payer.value = value;
    for (const other of others) other.value = '';
    allowed.dispatchEvent(new Event('input', { bubbles: true }));
  }
  form.querySelector('button.main').focus();
}

for (const button of form.querySelectorAll('button[data-fill]')) {
  button.type = 'button';
  button.addEventListener('click', () => fill(button));
}

// Enter that is held on a button which fills in must not press the main button, which has the focus then.
form.addEventListener('keydown', (event) => {
  if (event.repeat && event.key === 'Enter') event.preventDefault();
});
