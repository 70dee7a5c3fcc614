/**
 * Limits the memory that request bodies take, per project and in total: many bodies, each within its operation's limit, could together take
 * too much memory. Failure policy: closed; a body above the limits gets 503 with Retry-After.
 */
import { unavailable } from '@carecover/domain';

const MEBIBYTE = 1024 * 1024;
const LIMITS = { totalBytes: 128 * MEBIBYTE, projectBytes: 32 * MEBIBYTE };

/** The bytes of the budget that one request has taken. */
export interface Hold {
  /**
   * Takes more bytes; has no effect after the release. @throws ApiError service_unavailable if the limit per project or the total limit
   * would be exceeded
   */
  add(bytes: number): void;
  /** Releases everything that the request has taken. */
  release(): void;
}

export class MemoryBudget {
  private total = 0;
  private readonly projects = new Map<string, number>();

  constructor(private readonly limits = LIMITS) {}

  /** Creates the {@link Hold} of one request of the project. It starts with zero bytes. */
  startHold(project: string): Hold {
    let heldBytes = 0;
    let isReleased = false;
    return {
      add: (bytes) => {
        // The connection was lost, and a part of the body that had already arrived is still read.
        if (isReleased) return;
        const { totalBytes, projectBytes } = this.limits;
        if (this.total + bytes > totalBytes || this.ofProject(project) + bytes > projectBytes) {
          throw unavailable('Capacity for large request bodies');
        }
        heldBytes += bytes;
        this.change(project, bytes);
      },
      release: () => {
        this.change(project, -heldBytes);
        heldBytes = 0;
        isReleased = true;
      },
    };
  }

  private ofProject(project: string): number {
    return this.projects.get(project) ?? 0;
  }

  private change(project: string, bytes: number): void {
    this.total += bytes;
    const projectBytes = this.ofProject(project) + bytes;
    if (projectBytes === 0) this.projects.delete(project);
    else this.projects.set(project, projectBytes);
  }
}
