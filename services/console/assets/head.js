// Moves the focus to the search of the head when the key / is pressed outside a field, and folds the sections of long pages on a phone.
const search = document.querySelector('#head-search');
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target instanceof Element && event.target.closest('input, select, textarea') !== null) return;
  event.preventDefault();
  search.focus();
  search.select();
});

if (matchMedia('(max-width: 44rem)').matches)
  for (const section of document.querySelectorAll('details.section')) section.open = false;
