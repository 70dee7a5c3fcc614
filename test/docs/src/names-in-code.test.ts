/** Every path and every identifier that the documentation names in backticks exists, so that a renamed function or file is found in the documentation too. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { extractInlineCode, ROOT, readPage } from './pages';

const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  // A file that was deleted is in the list until the deletion is staged.
  .filter((path) => existsSync(join(ROOT, path)));
const pages = tracked.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md').map(readPage);

/** Names that are no part of this repository, by their owner. */
const FOREIGN = new Set([
  // PostgreSQL's settings and programs
  ...['archive_command', 'pg_dump', 'pg_restore', 'remote_apply'],
  // a setting of Temporal's server that is deliberately not set
  'history.cacheSizeBasedLimit',
  // a variable that OpenTelemetry's SDK reads
  'OTEL_EXPORTER_OTLP_HEADERS',
  // an npm package
  'ipaddr.js',
]);
/** Names that an example in the documentation makes up. */
const MADE_UP = new Set(['stl_2']);

const PATH = /^[\w@-][\w.@-]*(\/[\w.@-]+)*\/?$/;
const FILE = /\.(ts|tsx|mjs|cjs|js|json|md|yaml|yml|sql|sh|grit|py|go)$/;
const ROOT_FOLDER = /^(docs|libs|services|workflows|deploy|test|findings)\//;
const IDENTIFIER = /^[A-Za-z_$][\w$]*(\.[\w$]+)*(\(\))?$/;
/** What distinguishes an identifier from a word: a capital letter inside, or an underscore. */
const IS_COMPOUND = /[a-z][A-Z]|_/;

const isBinary = (path: string) => /\.(png|gz|ico|woff2|parquet)$/.test(path);
const sources = tracked
  .filter((path) => !path.endsWith('.md') && !isBinary(path))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'));
const words = new Set(sources.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
/** The names of files that the sources contain as text, such as those that the stack writes. */
const namedFiles = new Set(sources.flatMap((text) => text.match(/[\w-]+\.[a-z]+/g) ?? []));
const folders = new Set(
  tracked.flatMap((path) => path.split('/').map((_, end, all) => all.slice(0, end).join('/'))),
);

/** Whether a file or folder exists: at the path, beside the page, or, if only the end of its path is given, anywhere. */
function hasPath(path: string, page: string): boolean {
  const wanted = path.replace(/\/$/, '');
  const isThere = (known: string) => known === wanted || known.endsWith(`/${wanted}`);
  const [name = ''] = wanted.split('/').slice(-1);
  return (
    existsSync(join(ROOT, dirname(page), wanted)) ||
    tracked.some(isThere) ||
    [...folders].some(isThere) ||
    namedFiles.has(name)
  );
}

test.each(pages.map(({ path }, index) => [path, index] as const))(
  'every path and identifier of %s exists',
  (path, index) => {
    const missing = extractInlineCode(pages[index] as (typeof pages)[number]).filter((code) => {
      if (FOREIGN.has(code) || MADE_UP.has(code)) return false;
      if (PATH.test(code) && (FILE.test(code) || ROOT_FOLDER.test(code))) return !hasPath(code, path);
      if (!IDENTIFIER.test(code) || !IS_COMPOUND.test(code)) return false;
      const parts = code.replace('()', '').split('.');
      return !parts.every((part) => words.has(part));
    });
    expect(missing).toEqual([]);
  },
);
