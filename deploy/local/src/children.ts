/**
 * The child processes of one folder. Each is recorded in the folder before anything else happens, so that none outlives
 * its supervisor: a reaper process stops them when the supervisor dies, and the next start stops what even the reaper
 * left behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTime } from '../../process/identity.cjs';
import { type ChildRecord, readRecords, stopRecorded } from '../../process/stop.cjs';
import { StartFailure } from './failure';

const REAPER = join(__dirname, '../../process/reaper.cjs');

export interface ChildSpec {
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Where its output is appended. */
  logFile: string;
  /** The signal that asks it to stop; SIGTERM unless given. */
  stopSignal?: NodeJS.Signals;
  /** Milliseconds between that signal and SIGKILL; 4,000 unless given. */
  graceMs?: number;
  /** Such a process is stopped before those that it relies on. */
  reliesOnOthers?: boolean;
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly reliesOnOthers: boolean;
  readonly exited: Promise<Exit>;
  running(): boolean;
  /** Asks it to stop, kills it after its grace, and waits for its end. */
  stop(): Promise<Exit>;
  /** SIGKILL, and waits for its end. */
  kill(): Promise<Exit>;
}

/** Thrown for a process that should start while everything is being stopped. */
export class ChildrenClosed extends Error {}

export class Children {
  private closed = false;
  private readonly children = new Map<Child, ChildRecord>();
  private readonly recordsFile: string;
  private reaper: ChildProcess | undefined;

  /** `deleteFolder`: the folder goes with its processes (for tests). */
  constructor(
    private readonly folder: string,
    private readonly options: { deleteFolder?: boolean } = {},
  ) {
    this.recordsFile = join(folder, 'processes.json');
  }

  /** Stops what an earlier supervisor of this folder left running; returns the names. */
  stopLeftovers(): Promise<string[]> {
    return stopRecorded(readRecords(this.recordsFile));
  }

  /** Starts a process in a group of its own, so that the terminal's Ctrl-C reaches it only through {@link Child.stop}. */
  start(spec: ChildSpec): Child {
    if (this.closed) throw new ChildrenClosed(`${spec.name} is not started any more`);
    this.reaper ??= this.startReaper();
    const log = openSync(spec.logFile, 'a');
    const child = spawn(spec.command, spec.args, {
      detached: true,
      stdio: ['ignore', log, log],
      env: spec.env ?? process.env,
    });
    closeSync(log);
    const { pid } = child;
    if (pid === undefined) {
      // The reason arrives in an event a moment later; what matters to the user is the program's name.
      child.once('error', () => undefined);
      throw new StartFailure(`${spec.name} can't be started: ${spec.command} can't be run.`);
    }
    const record: ChildRecord = {
      name: spec.name,
      pid,
      started: startTime(pid) ?? 'ended',
      stopSignal: spec.stopSignal ?? 'SIGTERM',
    };
    const exited = new Promise<Exit>((resolve) => {
      child.once('exit', (code, signal) => {
        this.children.delete(handle);
        this.record();
        resolve({ code, signal });
      });
    });
    const running = () => child.exitCode === null && child.signalCode === null;
    const handle: Child = {
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
  async close(): Promise<void> {
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
    reaper.ref();
    const ended = new Promise((resolve) => reaper.once('exit', resolve));
    reaper.stdin?.end();
    await ended;
  }

  private startReaper(): ChildProcess {
    mkdirSync(this.folder, { recursive: true });
    const args = [REAPER, this.recordsFile];
    if (this.options.deleteFolder === true) args.push(this.folder);
    const reaper = spawn(process.execPath, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    // It must not keep its supervisor alive: the supervisor's end is what it waits for.
    reaper.unref();
    return reaper;
  }

  private record(): void {
    const records = [...this.children.values()];
    if (records.length === 0) {
      rmSync(this.recordsFile, { force: true });
      return;
    }
    const next = `${this.recordsFile}.next`;
    writeFileSync(next, JSON.stringify(records, null, 2));
    renameSync(next, this.recordsFile);
  }
}
