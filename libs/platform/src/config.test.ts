import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  COMMON_SETTINGS,
  ConfigError,
  choice,
  integer,
  loadConfig,
  optional,
  secret,
  string,
  urls,
  withDefault,
} from './config';

const spec = {
  NAME: string(),
  SIZE: integer(1, 10),
  KIND: withDefault(choice('small', 'large'), 'small'),
  KEY: secret(8),
  PEERS: optional(urls('http:')),
};

test('right settings are read with their types, missing ones fall back', () => {
  const config = loadConfig(spec, {
    NAME: 'a',
    SIZE: '7',
    KEY: 'long enough',
    PEERS: 'http://a:1, http://b:2',
  });
  expect(config).toEqual({
    NAME: 'a',
    SIZE: 7,
    KIND: 'small',
    KEY: 'long enough',
    PEERS: ['http://a:1', 'http://b:2'],
  });
});

test('every wrong setting is named at once, and no value is told', () => {
  const wrong = { SIZE: '11', KIND: 'middling', KEY: 'hunter2', PEERS: 'ftp://a' };
  const attempt = () => loadConfig(spec, wrong);
  expect(attempt).toThrow(ConfigError);
  try {
    attempt();
  } catch (error) {
    const { message, problems } = error as ConfigError;
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual([
      'NAME',
      'SIZE',
      'KIND',
      'KEY',
      'PEERS',
    ]);
    for (const value of Object.values(wrong)) expect(message).not.toContain(value);
  }
});

test('the production environment runs in production mode only', () => {
  const modes = {
    CARECOVER_ENVIRONMENT: COMMON_SETTINGS.CARECOVER_ENVIRONMENT,
    CARECOVER_MODE: COMMON_SETTINGS.CARECOVER_MODE,
  };
  const load = (environment: string, mode: string) =>
    loadConfig(modes, { CARECOVER_ENVIRONMENT: environment, CARECOVER_MODE: mode });
  for (const mode of ['local', 'test']) {
    expect(() => load('production', mode)).toThrow(/CARECOVER_MODE must be production/);
    expect(load('sandbox', mode).CARECOVER_MODE).toBe(mode);
  }
  expect(load('production', '').CARECOVER_MODE).toBe('production');
});

describe('settings from files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'carecover-settings-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const rest = { NAME: 'a', SIZE: '7' };
  afterAll(() => rmSync(folder, { recursive: true }));

  test('a setting is read from the file that NAME_FILE names, without its last line break', () => {
    const config = loadConfig(spec, { ...rest, KEY_FILE: file('key', 'from a file\n') });
    expect(config.KEY).toBe('from a file');
  });

  test('a file that is missing, wrong or beside a variable is named, and its content is not', () => {
    const wrong = { NAME_FILE: join(folder, 'none'), SIZE_FILE: file('size', 'eleven'), KEY: 'long enough' };
    const attempt = () => loadConfig(spec, { ...wrong, KEY_FILE: file('key', 'another one') });
    expect(attempt).toThrow(/NAME_FILE .*ENOENT[\s\S]*SIZE is not valid[\s\S]*KEY and KEY_FILE are both set/);
    expect(attempt).not.toThrow(/eleven|another one|long enough/);
  });

  test('an empty file counts as missing', () => {
    expect(() => loadConfig(spec, { ...rest, KEY_FILE: file('empty', '\n') })).toThrow(/KEY is not set/);
  });
});
