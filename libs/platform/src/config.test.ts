import {
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
