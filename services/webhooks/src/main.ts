/** The webhooks process: `main.js [server] [worker]`, both where none is named. */
import { loadConfig, runProcess, startService } from '@carecover/platform';
import { buildWebhooks } from './build';
import { SETTINGS } from './settings';

runProcess('webhooks', async (roles) => {
  const config = loadConfig(SETTINGS);
  return startService({
    name: 'webhooks',
    config,
    // It has no events of its own to put on the stream: it reads those of the others.
    natsUrl: null,
    roles,
    build: (base) => buildWebhooks(config, base),
  });
});
