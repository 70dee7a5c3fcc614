// Shows the buttons that copy a text, and says beside them whether the text was copied. Without a clipboard they stay hidden.
async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not copied: select the text';
  }
  // The accessible name follows the visible text, so that a screen reader says what happened.
  button.removeAttribute('aria-label');
}

if (navigator.clipboard !== undefined)
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.hidden = false;
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', () => copy(button));
  }
