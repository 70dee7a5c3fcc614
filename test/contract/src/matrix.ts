/** The matrix operation x outcome that the contract test prints: what was seen, and what was not. */
import type { Expected } from './outcomes';

export class Matrix {
  private readonly seen = new Map<string, number>();

  record({ operation, outcome }: Expected, status: number): void {
    this.seen.set(`${operation.id} ${outcome}`, status);
  }

  /** A line an operation, with each outcome that was provoked and its status. */
  render(expected: readonly Expected[]): string {
    const lines = new Map<string, string[]>();
    for (const { operation, outcome } of expected) {
      const status = this.seen.get(`${operation.id} ${outcome}`);
      const cells = lines.get(operation.id) ?? [];
      cells.push(status === undefined ? `MISSING ${outcome}` : `${status} ${outcome}`);
      lines.set(operation.id, cells);
    }
    return [...lines].map(([id, cells]) => `${id}: ${cells.join(', ')}`).join('\n');
  }
}
