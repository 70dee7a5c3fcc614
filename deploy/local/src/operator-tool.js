Object.defineProperty(exports, '__esModule', { value: true });
exports.carecover = carecover;
exports.createProject = createProject;
exports.verifyLedger = verifyLedger;
/** Runs the operator's own tool, `carecover`, against the stack's database. */
const node_path_1 = require('node:path');
const home_1 = require('./home');
const run_tool_1 = require('./run-tool');
const TOOL = (0, node_path_1.join)(home_1.REPOSITORY, 'services/gateway/dist/cli.js');
/** What the tool prints. @throws StartFailure where it fails, with what it wrote */
function carecover(adminUrl, ...args) {
  return (0, run_tool_1.runTool)(process.execPath, ['--disable-warning=ExperimentalWarning', TOOL, ...args], {
    env: { ...process.env, CARECOVER_ADMIN_DATABASE_URL: adminUrl },
  });
}
/** Makes a project with its first key. @throws StartFailure */
async function createProject(adminUrl, environment) {
  const name = `Local ${environment}`;
  const output = await carecover(
    adminUrl,
    'projects',
    'create',
    name,
    '--environment',
    environment,
    '--json',
  );
  const { project_id, secret_key } = JSON.parse(output);
  return { project_id, secret_key };
}
/** Recomputes every balance from the postings. @throws StartFailure naming what does not balance */
async function verifyLedger(adminUrl) {
  await carecover(adminUrl, 'ledger', 'verify');
}
