Object.defineProperty(exports, '__esModule', { value: true });
exports.StartFailure = void 0;
/** What stops the stack from starting and the user can mend: its message is the sentence they read, with no stack trace. */
class StartFailure extends Error {
  constructor(sentence, options) {
    super(sentence, options);
    this.name = 'StartFailure';
  }
}
exports.StartFailure = StartFailure;
