/**
 * Keeps compiled modules for the later suites of a worker process. Jest compiles all modules of a suite again, which is a sixth of the
 * processor time of a suite without servers. A `vm.Script` belongs to no context and keeps the functions that V8 has compiled, so all
 * suites of a process can run the same script. Each suite still evaluates its own modules.
 */
const vm = require('node:vm');

/** The options with which Jest compiles a module of a suite. Code with any other option is compiled by the original function. */
const JEST_OPTIONS = new Set(['filename', 'parsingContext', 'importModuleDynamically']);

/** Whether the code imports modules at run time. Jest resolves such an import in the suite for which it compiled the code. */
const importsAtRunTime = (code) => /\bimport\s*\(/.test(code);

function compile(code, parameters, filename) {
  const head = `(function (${parameters.join(',')}) {`;
  // The offset keeps the columns of the first line in stack traces.
  return new vm.Script(`${head}${code}\n})`, { filename, columnOffset: -head.length });
}

/**
 * Returns a function that replaces `vm.compileFunction` and compiles a module only if no earlier context compiled the same code.
 *
 * @param compileFunction the original function, which compiles code that belongs to a context
 */
exports.withScriptCache = (compileFunction) => {
  const scripts = new Map();
  const scriptOf = (code, parameters, filename) => {
    const known = scripts.get(filename);
    if (known?.code === code && known.parameters.join() === parameters.join()) return known.script;
    const script = importsAtRunTime(code) ? null : compile(code, parameters, filename);
    scripts.set(filename, { code, parameters, script });
    return script;
  };
  return (code, parameters = [], options = {}) => {
    const { filename, parsingContext } = options;
    const isModule =
      parsingContext && filename && Object.keys(options).every((name) => JEST_OPTIONS.has(name));
    const script = isModule ? scriptOf(code, parameters, filename) : null;
    return script === null ? compileFunction(code, parameters, options) : script.runInContext(parsingContext);
  };
};
