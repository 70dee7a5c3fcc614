/** The benefits process: `main.js [server] [worker]`, both where none is named. */
import { loadConfig, runProcess, startService } from '@carecover/platform';
import { buildBenefits } from './build';
import { SETTINGS } from './settings';

runProcess('benefits', async (roles) => {
  const config = loadConfig(SETTINGS);
  return startService({
    name: 'benefits',
    config,
    temporal: config,
    natsUrl: config.NATS_URL,
    roles,
    build: (base) => buildBenefits(config, base),
  });
});
