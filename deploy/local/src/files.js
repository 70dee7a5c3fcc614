Object.defineProperty(exports, '__esModule', { value: true });
exports.writeWhole = writeWhole;
exports.readIfThere = readIfThere;
/** Writes small files whole or not at all, and safely on the disk before anything relies on them. */
const promises_1 = require('node:fs/promises');
/** Replaces the file's content. `mode` is 0600 for what only its owner may read. */
async function writeWhole(path, text, mode = 0o644) {
  const next = `${path}.next`;
  const file = await (0, promises_1.open)(next, 'w', mode);
  try {
    await file.chmod(mode);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await (0, promises_1.rename)(next, path);
}
/** The file's text, or undefined where there is none. */
async function readIfThere(path) {
  try {
    return await (0, promises_1.readFile)(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
