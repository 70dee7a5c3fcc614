/**
 * Records the calls of functions in a Node.js process that loads this file before its program (`node --require`). Breakpoints whose condition
 * records the call never pause the process. A call is a line: nanoseconds of the machine's monotonic clock, and the function's name.
 *
 * `RECORDED_FUNCTIONS` names a JSON file, `{"path of a built file": ["name of a function, method or class"]}`; of a class, the calls of all
 * its methods are recorded. `RECORDED_CALLS` names the file to which calls are appended.
 */
'use strict';
const { openSync, readFileSync, writeSync } = require('node:fs');
const { Session } = require('node:inspector');
const { isMainThread } = require('node:worker_threads');

const RECORD = Symbol.for('carecover.test.recordCall');

/** Returns the number of the first line in the body of the function whose declaration starts at this line. */
function bodyOf(lines, start) {
  return lines.findIndex((line, number) => number >= start && line.endsWith('{')) + 1;
}

/** What can precede a declaration on its line: the indentation, or the end of its comment. */
const AT_TOP = String.raw`^(.*\*/ )?`;
const IN_CLASS = String.raw`^( {4}| {3,5}\*/ | {4}/\*\*.*\*/ )(async )?`;

/** Returns the numbers of the lines at which the body of a function or method starts, or the bodies of all methods of a class. */
function findBodies(source, name) {
  const lines = source.split('\n');
  const classStart = lines.findIndex((line) => new RegExp(`${AT_TOP}(let .*)?class ${name}\\b`).test(line));
  if (classStart === -1) {
    const declaration = new RegExp(`${AT_TOP}(async )?function ${name}\\(|${IN_CLASS}${name}\\(`);
    const start = lines.findIndex((line) => declaration.test(line));
    if (start === -1) throw new Error(`${name} is not declared`);
    return [bodyOf(lines, start)];
  }
  const end = lines.findIndex((line, number) => number > classStart && line.startsWith('}'));
  const method = new RegExp(`${IN_CLASS}(?!constructor)[\\w#]+\\(.*\\{$`);
  return lines
    .map((_, number) => number)
    .slice(classStart + 1, end)
    .filter((number) => method.test(lines[number]))
    .map((number) => bodyOf(lines, number));
}

function recordCalls(functions, file) {
  const output = openSync(file, 'a');
  globalThis[RECORD] = (name) => writeSync(output, `${process.hrtime.bigint()} ${name}\n`);
  const session = new Session();
  session.connect();
  /** Sends a command to the debugger, which responds before `post` returns. */
  const call = (method, params) => {
    let result;
    session.post(method, params, (error, response) => {
      if (error !== null) throw new Error(`${method}: ${error.message}`);
      result = response;
    });
    return result;
  };
  session.on('Debugger.scriptParsed', ({ params: { scriptId, url } }) => {
    const path = Object.keys(functions).find((each) => url.endsWith(`/${each}`));
    if (path === undefined) return;
    const { scriptSource } = call('Debugger.getScriptSource', { scriptId });
    for (const name of functions[path])
      for (const lineNumber of findBodies(scriptSource, name)) {
        const { locations } = call('Debugger.getPossibleBreakpoints', { start: { scriptId, lineNumber } });
        const condition = `(globalThis[Symbol.for(${JSON.stringify(RECORD.description)})](${JSON.stringify(name)}), false)`;
        call('Debugger.setBreakpoint', { location: locations[0], condition });
      }
  });
  call('Debugger.enable');
}

// A worker thread loads this file too. It has no function that is recorded.
if (isMainThread)
  recordCalls(JSON.parse(readFileSync(process.env.RECORDED_FUNCTIONS, 'utf8')), process.env.RECORDED_CALLS);
