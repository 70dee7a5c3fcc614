/** Prints the journey: one line per step, with the HTTP status of the step's last response and the duration. */
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

  /** Runs one step of the journey, and prints its line even if it fails. */
  async step<T>(title: string, work: () => PromiseLike<T>): Promise<T> {
    this.lastStatus = null;
    const startedMs = performance.now();
    try {
      const result = await work();
      this.steps += 1;
      this.print(`  ${this.lastStatus ?? ' ok'}  ${formatDuration(startedMs)}  ${title}`);
      return result;
    } catch (error) {
      this.print(`  ${this.lastStatus ?? '---'}  ${formatDuration(startedMs)}  ${title}: failed`);
      throw error;
    }
  }

  get count(): number {
    return this.steps;
  }

  /** Returns a `fetch` that trusts this certificate, and records the status of each response for the line of the step. */
  fetchTrusting(certificate: string): { readonly fetch: typeof fetch; close(): Promise<void> } {
    const agent = new Agent({ connect: { ca: certificate } });
    const recordingFetch = async (url: string, init: object) => {
      const response = await undiciFetch(url, { ...init, dispatcher: agent });
      this.lastStatus = response.status;
      return response;
    };
    return { fetch: recordingFetch as unknown as typeof fetch, close: () => agent.close() };
  }
}

function formatDuration(startedMs: number): string {
  return `${Math.round(performance.now() - startedMs)} ms`.padStart(8);
}

/** Throws an error that fails the journey if the condition is false. */
export function expect(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Error(`the journey found ${otherwise}`);
}
