Object.defineProperty(exports, '__esModule', { value: true });
exports.unprivilegedUser = unprivilegedUser;
exports.asUnprivileged = asUnprivileged;
/**
 * PostgreSQL refuses to run as root. Where we are root (in a container, say), it runs as `nobody`, who keeps the one
 * privilege of reaching our folders: root's own are often closed to everybody else.
 */
const node_child_process_1 = require('node:child_process');
const node_os_1 = require('node:os');
const node_util_1 = require('node:util');
const failure_1 = require('./failure');
const USER = 'nobody';
/** Who PostgreSQL runs as, and so who owns its files; undefined when that is simply us. */
async function unprivilegedUser() {
  if ((0, node_os_1.userInfo)().uid !== 0) return undefined;
  const id = async (flag) =>
    Number((await (0, node_util_1.promisify)(node_child_process_1.execFile)('id', [flag, USER])).stdout);
  try {
    return { uid: await id('-u'), gid: await id('-g') };
  } catch (cause) {
    throw new failure_1.StartFailure(
      `PostgreSQL can't run as root, and there is no user ${USER} to run it as: start Carecover as another user.`,
      { cause },
    );
  }
}
/** The command line that runs a program of PostgreSQL's as whom it may run. */
async function asUnprivileged(program, args) {
  const user = await unprivilegedUser();
  if (user === undefined) return [program, ...args];
  const privilege = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    ...privilege,
    '--',
    program,
    ...args,
  ];
}
