Object.defineProperty(exports, '__esModule', { value: true });
exports.freeSpaceOnDisk = exports.MEGABYTE = void 0;
exports.ensureSpace = ensureSpace;
/** Refuses to begin where the disk can't hold the result, since a full disk fails later and less clearly. */
const promises_1 = require('node:fs/promises');
const node_path_1 = require('node:path');
const failure_1 = require('./failure');
exports.MEGABYTE = 1_000_000;
const GIGABYTE = 1_000 * exports.MEGABYTE;
const freeSpaceOnDisk = async (folder) => {
  try {
    const { bavail, bsize } = await (0, promises_1.statfs)(folder);
    return bavail * bsize;
  } catch (error) {
    if (error.code !== 'ENOENT' || (0, node_path_1.dirname)(folder) === folder) throw error;
    return (0, exports.freeSpaceOnDisk)((0, node_path_1.dirname)(folder));
  }
};
exports.freeSpaceOnDisk = freeSpaceOnDisk;
/** @throws StartFailure naming the folder, when fewer than `bytes` are free there. `purpose` ends "… is needed to". */
async function ensureSpace(folder, bytes, purpose, freeSpace = exports.freeSpaceOnDisk) {
  const free = await freeSpace(folder);
  if (free >= bytes) return;
  throw new failure_1.StartFailure(
    `Too little free disk space: ${size(bytes)} is needed to ${purpose} in ${folder}, and ${size(free)} is free.`,
  );
}
function size(bytes) {
  return bytes >= GIGABYTE
    ? `${(bytes / GIGABYTE).toFixed(1)} GB`
    : `${Math.floor(bytes / exports.MEGABYTE)} MB`;
}
