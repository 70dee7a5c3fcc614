/** The documentation stays short: its words, as `wc -w` counts them, do not exceed a limit. */
import { readPage, readPages } from './pages';

const MAXIMUM_WORDS = 40_000;

test(`the documentation without decisions and measurements has at most ${MAXIMUM_WORDS} words`, () => {
  const pages = [
    readPage('README.md'),
    readPage('CONTRIBUTING.md'),
    ...readPages('docs').filter(({ path }) => !/^docs\/(decisions|measurements)\//.test(path)),
  ];
  const counts = pages
    .map(({ path, text }) => ({ path, words: text.match(/\S+/g)?.length ?? 0 }))
    .sort((one, other) => other.words - one.words);
  const words = counts.reduce((sum, page) => sum + page.words, 0);
  // The longest pages are in the message of a failure.
  expect([words, counts.slice(0, 10)]).toEqual([Math.min(words, MAXIMUM_WORDS), expect.anything()]);
});
