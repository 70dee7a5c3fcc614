Object.defineProperty(exports, '__esModule', { value: true });
exports.chooseStackPorts = chooseStackPorts;
/** The ports of a stack: those that settings name, else those of its last start, else the usual ones, else free ones. */
const files_1 = require('./files');
const ports_1 = require('./ports');
const services_1 = require('./services');
const USUAL = {
  gateway: 8443,
  temporal: 7233,
  temporalUi: 8233,
  nats: 4222,
  postgresql: 54_320,
};
const SETTING_OF = {
  gateway: 'CARECOVER_PORT',
  temporal: 'CARECOVER_TEMPORAL_PORT',
  nats: 'CARECOVER_NATS_PORT',
  postgresql: 'CARECOVER_POSTGRES_PORT',
};
/** `usual: false` keeps off the ports that somebody's own stack on this machine would take. @throws StartFailure */
async function chooseStackPorts(options) {
  const last = JSON.parse((await (0, files_1.readIfThere)(options.file)) ?? '{}');
  const chosen = {};
  const chooser = new ports_1.PortChooser();
  const choose = async (name) => {
    const setting = SETTING_OF[name];
    const named = setting === undefined ? null : options.settings[setting];
    const port = await chooser.choose({
      setting: setting === undefined || named === null ? undefined : { name: setting, port: named },
      preferred: [last[name], options.usual ? USUAL[name] : undefined].filter((port) => port !== undefined),
    });
    chosen[name] = port;
    return port;
  };
  // What a setting names comes first, so that nothing else is given that port.
  const names = Object.keys(SETTING_OF);
  for (const name of names) await choose(name);
  const given = (name) => chosen[name] ?? 0;
  const servers = {
    postgresql: given('postgresql'),
    nats: given('nats'),
    temporal: given('temporal'),
    temporalUi: await choose('temporalUi'),
  };
  const gateways = [];
  const inner = {
    care: [],
    benefits: [],
    claims: [],
    payments: [],
    webhooks: [],
  };
  for (let replica = 0; replica < options.replicas; replica += 1) {
    gateways.push({
      port: replica === 0 ? given('gateway') : await choose(`gateway-${replica + 1}`),
      healthPort: await choose(`gateway-health-${replica + 1}`),
    });
    for (const service of services_1.INNER_SERVICES)
      inner[service].push(await choose(`${service}-${replica + 1}`));
  }
  await (0, files_1.writeWhole)(options.file, JSON.stringify({ ...last, ...chosen }, null, 2));
  return { servers, inner, gateways };
}
