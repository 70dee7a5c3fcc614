// Moves the focus to the search of the head when the key / is pressed outside a field.
const search = document.querySelector('#head-search');
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target instanceof Element && event.target.closest('input, select, textarea') !== null) return;
  event.preventDefault();
  search.focus();
  search.select();
});
