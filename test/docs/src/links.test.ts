import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { headingAnchor, ROOT, readPage, readPages } from './pages';

const pages = [
  ...readPages('docs', 'deploy', 'libs', 'services', 'test', 'workflows'),
  readPage('README.md'),
  readPage('CONTRIBUTING.md'),
];

test.each(pages.map((each) => [each.path, each] as const))(
  'every link of %s has a target',
  (_path, { path, text }) => {
    for (const [, target = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = '', section] = target.split('#');
      const found = file === '' ? join(ROOT, path) : join(ROOT, dirname(path), file);
      expect([target, existsSync(found)]).toEqual([target, true]);
      if (section === undefined) continue;
      const headings = [...readFileSync(found, 'utf8').matchAll(/^#+ (.+)$/gm)].map((match) =>
        headingAnchor(match[1] ?? ''),
      );
      expect([target, headings.includes(section)]).toEqual([target, true]);
    }
  },
);
