/**
 * Checks the rules of language that the word list in cspell.config.json can't express: that no page has a retired phrase, and that the
 * glossary is consistent.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, readPage } from './pages';

interface CspellConfig {
  readonly files: readonly string[];
  /** Retired words with their replacements: `word->replacement`. */
  readonly flagWords: readonly string[];
}

const config: CspellConfig = JSON.parse(readFileSync(join(ROOT, 'cspell.config.json'), 'utf8'));
const GLOSSARY = 'docs/glossary.md';
const RETIRED_WORDS_HEADING = '## Retired words';

/** Nouns in ratios such as "one pool per process". A page must write such a ratio with "per", not with "a". */
const COUNTED =
  'batch|claim|connection|delivery|endpoint|event|file|folder|gateway|key|line|lookup|message|page|pool|project|queue|replica|request|row|second|service|test|workflow|write';

const RETIRED_PHRASES: Readonly<Record<string, RegExp>> = {
  '"per" instead of "a"': new RegExp(
    `\\b(a|an|one|two|\\d[\\d,.]*( [a-z]+)?) (${COUNTED})s? an? (batch|claim|connection|day|delivery|endpoint|hour|minute|month|process|project|release|replica|request|row|second|service|test|write)\\b`,
    'i',
  ),
  execute: /\b(carry|carries|carried|carrying)( \w+)? out\b/i,
  reject: /(?<!connection |connection was )\brefused\b/i,
  'pending step': /\bin hand\b/i,
  attempt: /\b(a|an|each|every|per|first|failed|last|one) try\b|\b(all|failed|of|their|whose|\d+) tries\b/i,
  'wake-up signal': /\b(wakes?|woken|waking)\b(?![- ]up signal)/i,
  'address rate limiter': /\bflood[- ]guard\b/i,
  'memory budget': /\bheld bodies\b/i,
  'fair semaphore': /\bfair places\b/i,
  Temporal: /\b(the|workflow) engine\b/i,
  'should notify': /\bworth tell\w*\b/i,
  composition: /\b(parts )?put together\b/i,
  'internal error': /\bfaults? of ours\b/i,
  'undo, or release': /\bgiv(e|es|en|ing) back\b/i,
  'users, or clients': /\b(people around it|callers? hear\w*)\b/i,
  'was interrupted': /\bbr(eaks?|oke|oken) off\b/i,
  'call, or receive a request': /\b(asks? another service|be asked)\b/i,
  'stop the loop': /\bleaves? the loop\b/i,
  'one page per pass, cyclically': /\bround and round\b/i,
  'the name of the library': /the platform library|libs\/platform\b|@carecover\/platform\b/,
  'the new identifier':
    /\b(claims_records|deciding_command_id|answer_status|RequestBodyBudget|HandlerResult|FileReply|insertAdvice|CommandGone)\b/,
  'automatically, or rewrite': /\bby (itself|themselves)\b/i,
  'rewrite the sentence': /\bas far as\b/i,
  create: /\b(made again|bring(s|ing)? into being)\b/i,
  unavailable: /\b(is|are|was|while|when) away\b/i,
};

/** Returns the text of a page without code and without the table of retired words. */
function extractProse(text: string): string {
  const withoutTable = text.split(RETIRED_WORDS_HEADING)[0] ?? '';
  return withoutTable.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`]+`/g, '``');
}

const files = execFileSync('git', ['ls-files', '-z', '--', ...config.files.map((glob) => `:(glob)${glob}`)], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\0')
  .filter((file) => file !== '' && !__filename.endsWith(file));

test.each(files)('%s contains no retired phrase', (file) => {
  const text = extractProse(readPage(file).text);
  for (const [instead, phrase] of Object.entries(RETIRED_PHRASES)) {
    expect([instead, phrase.exec(text.replaceAll('\n', ' '))?.[0]]).toEqual([instead, undefined]);
  }
});

test.each([
  ['one pool a process', true],
  ['a row a project', true],
  ['64 connections a replica', true],
  ['one pool per process', false],
  ['a project with a key', false],
])('"%s" breaks the rule of "per": %s', (text, breaks) => {
  expect(RETIRED_PHRASES['"per" instead of "a"']?.test(text)).toBe(breaks);
});

test('every retired word has a replacement, and the glossary lists those alone that no check finds', () => {
  expect(config.flagWords.filter((entry) => !/^\S+->\S/.test(entry))).toEqual([]);
  const [, retired = ''] = readPage(GLOSSARY).text.split(RETIRED_WORDS_HEADING);
  const terms = [...retired.matchAll(/^\| (?!do not write|---)(.+?) \|/gm)].map(([, term = '']) => term);
  expect(terms.length).toBeGreaterThan(8);
  const words = config.flagWords.map((entry) => new RegExp(`\\b${entry.split('->')[0]}\\b`, 'i'));
  const checks = [...words, ...Object.values(RETIRED_PHRASES)];
  expect(terms.filter((term) => checks.some((check) => check.test(term)))).toEqual([]);
});

test('every path in the glossary exists', () => {
  const paths = [
    ...readPage(GLOSSARY).text.matchAll(/`((?:libs|services|workflows|docs|deploy|test)\/[^`]+)`/g),
  ];
  expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
