Object.defineProperty(exports, '__esModule', { value: true });
exports.Supervised = void 0;
/**
 * Keeps one process of the stack running: one that ends unasked is started again, after a pause that grows while it
 * keeps ending. What another process of the stack notices of that is what it would notice in production.
 */
const promises_1 = require('node:timers/promises');
const children_1 = require('./children');
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 5_000;
/** A process that ran this long has started well, so its next pause is short again. */
const SETTLED_MS = 10_000;
class Supervised {
  name;
  startOnce;
  print;
  child;
  /** Grows whenever somebody starts or stops it; whatever was begun for an earlier wish is then given up. */
  wish = 0;
  pauseMs = FIRST_PAUSE_MS;
  constructor(name, startOnce, print) {
    this.name = name;
    this.startOnce = startOnce;
    this.print = print;
  }
  /** Undefined while it is down. */
  get pid() {
    return this.child?.running() === true ? this.child.pid : undefined;
  }
  /** Starts it and resolves once it answers. `extra` holds until this run ends, so a crash it causes happens once. */
  async start(extra = {}) {
    this.wish += 1;
    await this.run(this.wish, extra);
  }
  /** Stops it gracefully; it stays down until it is started again. */
  async stop() {
    this.wish += 1;
    await this.child?.stop();
  }
  /** SIGKILL; it stays down until it is started again. */
  async kill() {
    this.wish += 1;
    await this.child?.kill();
  }
  async restart(extra = {}) {
    await this.stop();
    await this.start(extra);
  }
  async run(wish, extra) {
    const child = await this.startOnce(extra);
    if (this.wish !== wish) {
      await child.stop();
      return;
    }
    this.child = child;
    const since = Date.now();
    void child.exited.then(async ({ code, signal }) => {
      if (this.wish !== wish) return;
      this.print(`${this.name} ended (${signal ?? `code ${code}`}); starting it again`);
      if (Date.now() - since > SETTLED_MS) this.pauseMs = FIRST_PAUSE_MS;
      await this.runAgain(wish);
    });
  }
  async runAgain(wish) {
    for (;;) {
      await (0, promises_1.setTimeout)(this.pauseMs);
      this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
      if (this.wish !== wish) return;
      try {
        await this.run(wish, {});
        return;
      } catch (error) {
        if (error instanceof children_1.ChildrenClosed) return;
        this.print(error instanceof Error ? error.message : String(error));
      }
    }
  }
}
exports.Supervised = Supervised;
