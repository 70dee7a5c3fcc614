Object.defineProperty(exports, '__esModule', { value: true });
exports.cacheFolder = cacheFolder;
exports.cached = cached;
/**
 * What takes long to make and depends on known input alone is kept in the user's cache folder by the hash of that
 * input, and shared by all clones. An entry appears whole or not at all, and is made once however many want it.
 */
const node_crypto_1 = require('node:crypto');
const node_fs_1 = require('node:fs');
const promises_1 = require('node:fs/promises');
const node_os_1 = require('node:os');
const node_path_1 = require('node:path');
const lock_cjs_1 = require('../../process/lock.cjs');
function cacheFolder(env = process.env) {
  const base = env.XDG_CACHE_HOME;
  return (0, node_path_1.join)(
    base === undefined || base === '' ? (0, node_path_1.join)((0, node_os_1.homedir)(), '.cache') : base,
    'carecover',
  );
}
/** The folder of an entry, made first if it isn't there. Errors of `make` pass through, and leave nothing behind. */
async function cached(entry, folder = cacheFolder()) {
  const hash = (0, node_crypto_1.createHash)('sha256')
    .update(JSON.stringify([process.platform, process.arch, ...entry.input]))
    .digest('hex')
    .slice(0, 16);
  const id = `${entry.name}-${hash}`;
  const path = (0, node_path_1.join)(folder, id);
  if ((0, node_fs_1.existsSync)(path)) return path;
  const lock = await (0, lock_cjs_1.waitForLock)((0, node_path_1.join)(folder, `${id}.lock`), (holder) =>
    process.stderr.write(`… waiting for process ${holder}, which is making ${entry.name}\n`),
  );
  const unfinished = (0, node_path_1.join)(folder, `${id}.unfinished`);
  try {
    if ((0, node_fs_1.existsSync)(path)) return path;
    // A maker that was killed has left its folder; nobody else can be in it, since the lock is ours.
    await (0, promises_1.rm)(unfinished, { recursive: true, force: true });
    await (0, promises_1.mkdir)(unfinished, { recursive: true });
    await entry.make(unfinished);
    await (0, promises_1.rename)(unfinished, path);
    return path;
  } finally {
    await (0, promises_1.rm)(unfinished, { recursive: true, force: true });
    lock.release();
  }
}
