Object.defineProperty(exports, '__esModule', { value: true });
exports.localSettings = localSettings;
/** The settings of the local stack itself. None is needed; what they name is used or refused, never replaced. */
const node_path_1 = require('node:path');
const config_1 = require('@carecover/platform/config');
const failure_1 = require('./failure');
const home_1 = require('./home');
const PORT = (0, config_1.optional)((0, config_1.integer)(1, 65_535));
const SETTINGS = {
  CARECOVER_HOME: (0, config_1.withDefault)(
    (0, config_1.string)(),
    (0, node_path_1.join)(home_1.REPOSITORY, '.carecover'),
  ),
  CARECOVER_PORT: PORT,
  CARECOVER_TEMPORAL_PORT: PORT,
  CARECOVER_NATS_PORT: PORT,
  CARECOVER_POSTGRES_PORT: PORT,
};
/** @throws StartFailure naming every setting that is wrong */
function localSettings(env = process.env) {
  try {
    const { CARECOVER_HOME, ...ports } = (0, config_1.loadConfig)(SETTINGS, env);
    return { homeFolder: (0, node_path_1.resolve)(CARECOVER_HOME), ports };
  } catch (error) {
    if (error instanceof config_1.ConfigError)
      throw new failure_1.StartFailure(error.message, { cause: error });
    throw error;
  }
}
