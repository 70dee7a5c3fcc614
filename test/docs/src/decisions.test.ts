/** Every decision is a page: its question, the decision and what it costs. Measurements have a folder of their own. */
import { readPage, readPages } from './pages';

const INDEX = 'docs/decisions/README.md';
const decisions = readPages('docs/decisions').filter(({ path }) => path !== INDEX);
/** The maximum length of a page in words, with the words of tables. */
const MAX_WORDS = 650;

test.each(decisions.map((page) => [page.path, page] as const))(
  '%s is a page with a question, a decision and a price',
  (path, { text }) => {
    expect(text).toMatch(/^\*\*Question\.\*\*/m);
    expect(text).toMatch(/^\*\*Decision\b/m);
    expect(text).toMatch(/^\*\*(Cost|Price)\.\*\*/m);
    expect([path, text.split(/\s+/).length <= MAX_WORDS]).toEqual([path, true]);
  },
);

test('the index names every decision', () => {
  const { text } = readPage(INDEX);
  const missing = decisions.filter(({ path }) => !text.includes(`](${path.split('/').at(-1)})`));
  expect(missing.map(({ path }) => path)).toEqual([]);
});
