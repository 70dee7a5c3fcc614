/** The matrix operation x outcome that the contract test prints: what was seen, and what was not. */
import type { Expected } from './outcomes';
export declare class Matrix {
  private readonly seen;
  record({ operation, outcome }: Expected, status: number): void;
  /** A line an operation, with each outcome that was provoked and its status. */
  render(expected: readonly Expected[]): string;
}
