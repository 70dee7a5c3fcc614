Object.defineProperty(exports, '__esModule', { value: true });
exports.REPOSITORY = void 0;
exports.homeAt = homeAt;
/** Where everything of one stack lies: a folder that can be deleted to begin anew, and moved by CARECOVER_HOME. */
const node_path_1 = require('node:path');
exports.REPOSITORY = (0, node_path_1.resolve)(__dirname, '../../..');
function homeAt(folder) {
  const at = (name) => (0, node_path_1.join)(folder, name);
  return {
    folder,
    lock: at('lock'),
    stack: at('stack.json'),
    secrets: at('secrets.json'),
    project: at('project.json'),
    ports: at('ports.json'),
    journeyDone: at('journey.done'),
    tls: at('tls'),
    postgresql: at('postgresql'),
    nats: at('nats'),
    temporal: at('temporal.db'),
    logs: at('logs'),
  };
}
