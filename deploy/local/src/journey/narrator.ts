/** Tells the journey as it goes: a line a step, with the status of its last answer and the time that it took. */
import { Agent, fetch as undiciFetch } from 'undici';

export class Narrator {
  private lastStatus: number | null = null;
  private steps = 0;

  constructor(private readonly print: (line: string) => void) {}

  chapter(title: string): void {
    this.print(`\n${title}`);
  }

  note(text: string): void {
    this.print(`       ${text}`);
  }

  /** Does one step and prints its line; a failure is told with the step's words. */
  async step<T>(words: string, work: () => PromiseLike<T>): Promise<T> {
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

  get count(): number {
    return this.steps;
  }

  /** The client's `fetch`: trusts the local stack's certificate, and notes each answer's status for the step's line. */
  fetchTrusting(certificate: string): { readonly fetch: typeof fetch; close(): Promise<void> } {
    const agent = new Agent({ connect: { ca: certificate } });
    const noting = async (url: string, init: object) => {
      const response = await undiciFetch(url, { ...init, dispatcher: agent });
      this.lastStatus = response.status;
      return response;
    };
    return { fetch: noting as unknown as typeof fetch, close: () => agent.close() };
  }
}

function duration(startedMs: number): string {
  return `${Math.round(performance.now() - startedMs)} ms`.padStart(8);
}

/** Fails the journey where something is not as it must be. */
export function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(`the journey found ${otherwise}`);
}
