/**
 * What bodies may hold of the memory while they arrive and are worked on, all together and of one project: many bodies within
 * their operation's limit are still too many at once. Failure policy: closed; what does not fit is 503, to come again.
 */
import { unavailable } from '@carecover/platform';

const MEBIBYTE = 1024 * 1024;
const LIMITS = { totalBytes: 128 * MEBIBYTE, projectBytes: 32 * MEBIBYTE };

/** What one request holds. */
export interface Hold {
  /** @throws ApiError service_unavailable where that is too much */
  add(bytes: number): void;
  /** Gives all of it back; once. */
  release(): void;
}

export class RequestBodyBudget {
  private total = 0;
  private readonly projects = new Map<string, number>();

  constructor(private readonly limits = LIMITS) {}

  /** Begins with nothing. */
  of(project: string): Hold {
    let own = 0;
    return {
      add: (bytes) => {
        const { totalBytes, projectBytes } = this.limits;
        if (this.total + bytes > totalBytes || this.ofProject(project) + bytes > projectBytes) {
          throw unavailable('Capacity for large request bodies');
        }
        own += bytes;
        this.change(project, bytes);
      },
      release: () => {
        this.change(project, -own);
        own = 0;
      },
    };
  }

  private ofProject(project: string): number {
    return this.projects.get(project) ?? 0;
  }

  private change(project: string, bytes: number): void {
    this.total += bytes;
    const left = this.ofProject(project) + bytes;
    if (left === 0) this.projects.delete(project);
    else this.projects.set(project, left);
  }
}
