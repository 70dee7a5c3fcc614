/**
 * Starts and stops child processes, and records them in a folder. If this process, their supervisor, ends without stopping them, a reaper
 * process stops them. If the reaper is killed too, the next supervisor that uses the folder stops them.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTime } from '../process/identity.cjs';
import { type ChildRecord, readRecords, stopRecorded } from '../process/stop.cjs';
import { StartFailure } from './failure';

/** Time in milliseconds after which a failed write of the records is repeated. */
const RETRY_MS = 1_000;
const REAPER = join(__dirname, '../process/reaper.cjs');

export interface ChildSpec {
  name: string;
  command: string;
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** File to which the process's output is appended. */
  logFile: string;
  /** Signal that stops the process gracefully; SIGTERM by default. */
  stopSignal?: NodeJS.Signals;
  /** Milliseconds between the stop signal and SIGKILL; 4,000 by default. */
  graceMs?: number;
  /** Whether this process is stopped before the other processes, because it depends on them. */
  dependsOnOthers?: boolean;
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  readonly dependsOnOthers: boolean;
  readonly exited: Promise<Exit>;
  running(): boolean;
  /** Stops the process gracefully, kills it after the grace period, and waits for its end. */
  stop(): Promise<Exit>;
  /** Sends SIGKILL to the process and waits for its end. */
  kill(): Promise<Exit>;
}

/** Thrown if a process is started after {@link Children.close}. */
export class ChildrenClosed extends Error {}

export class Children {
  private closed = false;
  private readonly children = new Map<Child, ChildRecord>();
  private readonly recordsFile: string;
  private reaper: ChildProcess | undefined;
  /** Whether the last attempt to record the processes failed, and the timer of the next one. */
  private hasFailed = false;
  private retry: NodeJS.Timeout | undefined;

  /**
   * @param options `deleteFolder`: whether the reaper deletes the folder after its processes have stopped; `print` prints a line for the
   * user
   */
  constructor(
    private readonly folder: string,
    private readonly options: { deleteFolder?: boolean; print?: (line: string) => void } = {},
  ) {
    this.recordsFile = join(folder, 'processes.json');
  }

  /** Stops the processes that an earlier supervisor of this folder left running. Returns their names. */
  stopLeftovers(): Promise<string[]> {
    return stopRecorded(readRecords(this.recordsFile));
  }

  /** Starts a process in a process group of its own, so that Ctrl-C in the terminal does not stop it. */
  start(spec: ChildSpec): Child {
    if (this.closed) throw new ChildrenClosed(`${spec.name} can't be started: the stack is stopping`);
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
      // Node.js also emits an error event for a program that can't be run. The event is ignored, because this function throws an error
      // that names the program.
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
      dependsOnOthers: spec.dependsOnOthers === true,
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

  /** Stops all processes and then the reaper. No process can be started afterwards. */
  async close(): Promise<void> {
    this.closed = true;
    const running = () => [...this.children.keys()];
    await Promise.all(
      running()
        .filter((child) => child.dependsOnOthers)
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
    // The reaper runs until this process ends. With `unref`, the running reaper does not keep this process running.
    reaper.unref();
    return reaper;
  }

  /**
   * Records the running processes. A write that fails, as on a full disk, is retried until it succeeds: the processes must keep running. The
   * processes that were started meanwhile are not stopped if this process and the reaper are killed before.
   */
  private record(): void {
    clearTimeout(this.retry);
    const records = [...this.children.values()];
    try {
      if (records.length === 0) {
        rmSync(this.recordsFile, { force: true });
      } else {
        const next = `${this.recordsFile}.next`;
        writeFileSync(next, JSON.stringify(records, null, 2));
        renameSync(next, this.recordsFile);
      }
      this.hasFailed = false;
    } catch (error) {
      if (!this.hasFailed) this.options.print?.(`The running processes can't be recorded yet: ${error}`);
      this.hasFailed = true;
      this.retry = setTimeout(() => this.record(), RETRY_MS).unref();
    }
  }
}
