Object.defineProperty(exports, '__esModule', { value: true });
exports.Children = exports.ChildrenClosed = void 0;
/**
 * The child processes of one folder. Each is recorded in the folder before anything else happens, so that none outlives
 * its supervisor: a reaper process stops them when the supervisor dies, and the next start stops what even the reaper
 * left behind.
 */
const node_child_process_1 = require('node:child_process');
const node_fs_1 = require('node:fs');
const node_path_1 = require('node:path');
const identity_cjs_1 = require('../../process/identity.cjs');
const stop_cjs_1 = require('../../process/stop.cjs');
const failure_1 = require('./failure');
const REAPER = (0, node_path_1.join)(__dirname, '../../process/reaper.cjs');
/** Thrown for a process that should start while everything is being stopped. */
class ChildrenClosed extends Error {}
exports.ChildrenClosed = ChildrenClosed;
class Children {
  folder;
  options;
  closed = false;
  children = new Map();
  recordsFile;
  reaper;
  /** `deleteFolder`: the folder goes with its processes (for tests). */
  constructor(folder, options = {}) {
    this.folder = folder;
    this.options = options;
    this.recordsFile = (0, node_path_1.join)(folder, 'processes.json');
  }
  /** Stops what an earlier supervisor of this folder left running; returns the names. */
  stopLeftovers() {
    return (0, stop_cjs_1.stopRecorded)((0, stop_cjs_1.readRecords)(this.recordsFile));
  }
  /** Starts a process in a group of its own, so that the terminal's Ctrl-C reaches it only through {@link Child.stop}. */
  start(spec) {
    if (this.closed) throw new ChildrenClosed(`${spec.name} is not started any more`);
    this.reaper ??= this.startReaper();
    const log = (0, node_fs_1.openSync)(spec.logFile, 'a');
    const child = (0, node_child_process_1.spawn)(spec.command, spec.args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: spec.env ?? process.env,
    });
    (0, node_fs_1.closeSync)(log);
    const { pid } = child;
    if (pid === undefined) {
      // The reason arrives in an event a moment later; what matters to the user is the program's name.
      child.once('error', () => undefined);
      throw new failure_1.StartFailure(`${spec.name} can't be started: ${spec.command} can't be run.`);
    }
    const record = {
      name: spec.name,
      pid,
      started: (0, identity_cjs_1.startTime)(pid) ?? 'ended',
      stopSignal: spec.stopSignal ?? 'SIGTERM',
    };
    const exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.children.delete(handle);
        this.record();
        resolve({ code, signal });
      });
    });
    const running = () => child.exitCode === null && child.signalCode === null;
    const handle = {
      name: spec.name,
      pid,
      reliesOnOthers: spec.reliesOnOthers === true,
      exited,
      running,
      stop: async () => {
        if (running()) child.kill(record.stopSignal);
        const overdue = setTimeout(() => child.kill('SIGKILL'), spec.graceMs ?? 4_000);
        const exit = await exited;
        clearTimeout(overdue);
        return exit;
      },
      kill: () => {
        child.kill('SIGKILL');
        return exited;
      },
    };
    this.children.set(handle, record);
    this.record();
    return handle;
  }
  /** Stops every process and the reaper: first what relies on others. None can be started any more. */
  async close() {
    this.closed = true;
    const running = () => [...this.children.keys()];
    await Promise.all(
      running()
        .filter((child) => child.reliesOnOthers)
        .map((child) => child.stop()),
    );
    await Promise.all(running().map((child) => child.stop()));
    const { reaper } = this;
    this.reaper = undefined;
    if (reaper === undefined) return;
    const ended = new Promise((resolve) => reaper.once('exit', resolve));
    reaper.stdin?.end();
    await ended;
  }
  startReaper() {
    (0, node_fs_1.mkdirSync)(this.folder, { recursive: true });
    const args = [REAPER, this.recordsFile];
    if (this.options.deleteFolder === true) args.push(this.folder);
    const reaper = (0, node_child_process_1.spawn)(process.execPath, args, {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // It must not keep its supervisor alive: the supervisor's end is what it waits for.
    reaper.unref();
    return reaper;
  }
  record() {
    const records = [...this.children.values()];
    if (records.length === 0) {
      (0, node_fs_1.rmSync)(this.recordsFile, { force: true });
      return;
    }
    const next = `${this.recordsFile}.next`;
    (0, node_fs_1.writeFileSync)(next, JSON.stringify(records, null, 2));
    (0, node_fs_1.renameSync)(next, this.recordsFile);
  }
}
exports.Children = Children;
