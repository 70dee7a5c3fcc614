Object.defineProperty(exports, '__esModule', { value: true });
exports.Matrix = void 0;
class Matrix {
  seen = new Map();
  record({ operation, outcome }, status) {
    this.seen.set(`${operation.id} ${outcome}`, status);
  }
  /** A line an operation, with each outcome that was provoked and its status. */
  render(expected) {
    const lines = new Map();
    for (const { operation, outcome } of expected) {
      const status = this.seen.get(`${operation.id} ${outcome}`);
      const cells = lines.get(operation.id) ?? [];
      cells.push(status === undefined ? `MISSING ${outcome}` : `${status} ${outcome}`);
      lines.set(operation.id, cells);
    }
    return [...lines].map(([id, cells]) => `${id}: ${cells.join(', ')}`).join('\n');
  }
}
exports.Matrix = Matrix;
