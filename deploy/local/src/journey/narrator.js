Object.defineProperty(exports, '__esModule', { value: true });
exports.Narrator = void 0;
exports.expect = expect;
/** Tells the journey as it goes: a line a step, with the status of its last answer and the time that it took. */
const undici_1 = require('undici');
class Narrator {
  print;
  lastStatus = null;
  steps = 0;
  constructor(print) {
    this.print = print;
  }
  chapter(title) {
    this.print(`\n${title}`);
  }
  note(text) {
    this.print(`       ${text}`);
  }
  /** Does one step and prints its line; a failure is told with the step's words. */
  async step(words, work) {
    this.lastStatus = null;
    const startedMs = performance.now();
    try {
      const result = await work();
      this.steps += 1;
      this.print(`  ${this.lastStatus ?? ' ok'}  ${duration(startedMs)}  ${words}`);
      return result;
    } catch (error) {
      this.print(`  ${this.lastStatus ?? '---'}  ${duration(startedMs)}  ${words}: failed`);
      throw error;
    }
  }
  get count() {
    return this.steps;
  }
  /** The client's `fetch`: trusts the local stack's certificate, and notes each answer's status for the step's line. */
  fetchTrusting(certificate) {
    const agent = new undici_1.Agent({ connect: { ca: certificate } });
    const noting = async (url, init) => {
      const response = await (0, undici_1.fetch)(url, { ...init, dispatcher: agent });
      this.lastStatus = response.status;
      return response;
    };
    return { fetch: noting, close: () => agent.close() };
  }
}
exports.Narrator = Narrator;
function duration(startedMs) {
  return `${Math.round(performance.now() - startedMs)} ms`.padStart(8);
}
/** Fails the journey where something is not as it must be. */
function expect(condition, otherwise) {
  if (!condition) throw new Error(`the journey found ${otherwise}`);
}
