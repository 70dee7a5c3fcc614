/** The matrix of operations and outcomes that the contract test prints. */
import type { Expected } from './outcomes';

export class Matrix {
  private readonly statuses = new Map<string, number>();

  record({ operation, outcome }: Expected, status: number): void {
    this.statuses.set(`${operation.id} ${outcome}`, status);
  }

  /** Renders one line per operation with the status of each outcome, or MISSING. */
  render(expected: readonly Expected[]): string {
    const lines = new Map<string, string[]>();
    for (const { operation, outcome } of expected) {
      const status = this.statuses.get(`${operation.id} ${outcome}`);
      const cells = lines.get(operation.id) ?? [];
      cells.push(status === undefined ? `MISSING ${outcome}` : `${status} ${outcome}`);
      lines.set(operation.id, cells);
    }
    return [...lines].map(([id, cells]) => `${id}: ${cells.join(', ')}`).join('\n');
  }
}
