Object.defineProperty(exports, '__esModule', { value: true });
exports.createRunFolder = createRunFolder;
/** A folder for servers of a test run, in memory where there is room; it and its processes go when the run goes. */
const node_fs_1 = require('node:fs');
const node_os_1 = require('node:os');
const node_path_1 = require('node:path');
const children_1 = require('../children');
const disk_1 = require('../disk');
const MEMORY = '/dev/shm';
const NEEDED_BYTES = 1_000 * disk_1.MEGABYTE;
async function createRunFolder() {
  const inMemory =
    process.platform === 'linux' && (await (0, disk_1.freeSpaceOnDisk)(MEMORY)) >= NEEDED_BYTES;
  const path = (0, node_fs_1.mkdtempSync)(
    (0, node_path_1.join)(inMemory ? MEMORY : (0, node_os_1.tmpdir)(), 'carecover-test-'),
  );
  return { path, children: new children_1.Children(path, { deleteFolder: true }) };
}
