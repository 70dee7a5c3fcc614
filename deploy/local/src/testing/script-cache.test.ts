import vm, { compileFunction, createContext, type ScriptOptions } from 'node:vm';

const { withScriptCache } = jest.requireActual('./script-cache.cjs') as {
  withScriptCache(original: typeof compileFunction): typeof compileFunction;
};

const FILE = '/example/module.js';
let compiledByOriginal = 0;
const compile = withScriptCache((...args) => {
  compiledByOriginal += 1;
  return compileFunction(...args);
});

function run(code: string, global: string, parameters = ['value']): unknown {
  const parsingContext = createContext({ name: global });
  return compile(code, parameters, { filename: FILE, parsingContext })('given');
}

const { Script } = vm;
const compiled = jest.spyOn(vm, 'Script').mockImplementation((...args) => new Script(...args));
/** Returns how many scripts of the file were compiled. The environment of this suite compiles modules with the same class. */
const countCompiled = () =>
  compiled.mock.calls.filter(([, options]) => (options as ScriptOptions).filename === FILE).length;
beforeEach(() => {
  compiledByOriginal = 0;
  compiled.mockClear();
});
afterAll(() => compiled.mockRestore());

test('the same code runs in each context with the globals and the parameters of that context', () => {
  const code = 'return [value, name, globalThis.count = (globalThis.count ?? 0) + 1].join()';
  expect([run(code, 'first'), run(code, 'second')]).toEqual(['given,first,1', 'given,second,1']);
  expect([compiledByOriginal, countCompiled()]).toEqual([0, 1]);
});

test('changed code and changed parameters are compiled again', () => {
  expect(run('return value', 'any')).toBe('given');
  expect(run('return value + 1', 'any')).toBe('given1');
  expect(run('return other + 1', 'any', ['other'])).toBe('given1');
  expect(countCompiled()).toBe(3);
});

test('an error has the position that it has in the file', () => {
  for (const context of ['first', 'second']) {
    const failing = () => run('  throw new Error(value)', context);
    expect(failing).toThrow(expect.objectContaining({ stack: expect.stringContaining(`${FILE}:1:9`) }));
  }
  expect(() => run('return )', 'any')).toThrow('Unexpected token');
});

test('code without a context, with other options, or that imports at run time is compiled by the original function', () => {
  expect(compile('return value', ['value'], { filename: FILE })('given')).toBe('given');
  const parsingContext = createContext({});
  expect(compile('return value', ['value'], { filename: FILE, parsingContext, lineOffset: 1 })('given')).toBe(
    'given',
  );
  run('return () => import("node:fs") && value', 'any');
  run('return () => import("node:fs") && value', 'any');
  expect(compiledByOriginal).toBe(4);
});
