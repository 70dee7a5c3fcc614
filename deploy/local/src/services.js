Object.defineProperty(exports, '__esModule', { value: true });
exports.INNER_SERVICES = void 0;
exports.startService = startService;
/** The service processes of a stack: which settings each gets, and when it is ready. */
const node_fs_1 = require('node:fs');
const node_path_1 = require('node:path');
const failure_1 = require('./failure');
const home_1 = require('./home');
const ready_1 = require('./ready');
/** Those behind the gateway, in no order: each starts while the others are away. */
exports.INNER_SERVICES = ['care', 'benefits', 'claims', 'payments', 'webhooks'];
/** Starts the process and waits until it is ready. `extra` settings go before all others. */
async function startService(process_, around, extra) {
  const { service, replica, healthPort } = process_;
  const main = (0, node_path_1.join)(home_1.REPOSITORY, 'services', service, 'dist/main.js');
  if (!(0, node_fs_1.existsSync)(main))
    throw new failure_1.StartFailure(`The ${service} service is not built: ${main} is missing.`);
  const name = replica === 0 ? service : `${service}-${replica + 1}`;
  const logFile = (0, node_path_1.join)(around.logs, `${name}.log`);
  const child = around.children.start({
    name,
    command: process.execPath,
    // Packages that are ES modules only are required, which Node 20 calls experimental each time.
    args: ['--disable-warning=ExperimentalWarning', main],
    env: { ...inherited(), ...settings(process_, around), ...extra },
    logFile,
    reliesOnOthers: true,
  });
  await (0, ready_1.untilReady)(child, logFile, () => isReady(healthPort));
  return child;
}
function settings(process_, around) {
  const { service, port, healthPort } = process_;
  const urls = (inner) =>
    around.innerPorts[inner].map((innerPort) => `http://127.0.0.1:${innerPort}`).join(',');
  return {
    CARECOVER_ENVIRONMENT: around.environment,
    CARECOVER_MODE: around.mode,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: around.databaseUrl(service),
    CONTEXT_SECRET: around.secrets.context,
    HASH_SECRET: around.secrets.hash,
    ...Object.fromEntries(exports.INNER_SERVICES.map((inner) => [`${inner.toUpperCase()}_URL`, urls(inner)])),
    TEMPORAL_ADDRESS: around.temporalAddress,
    NATS_URL: around.natsUrl,
    ...(service === 'webhooks' ? { WEBHOOK_ENCRYPTION_KEYS: around.secrets.webhookKeys } : {}),
    ...(service === 'gateway'
      ? {
          METRICS_PORT: String(healthPort),
          TLS_CERTIFICATE: around.certificate.leaf,
          TLS_KEY: around.certificate.key,
        }
      : {}),
  };
}
/** A service gets its settings from here alone, so that a stray variable of the user's changes nothing. */
function inherited() {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LOG_LEVEL'];
  const { env } = process;
  return Object.fromEntries(kept.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
async function isReady(port) {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`, {
      signal: AbortSignal.timeout(2_000),
    });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    // Nobody listens yet; whether the process has ended is looked at elsewhere.
    return false;
  }
}
