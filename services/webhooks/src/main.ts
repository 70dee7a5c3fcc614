/** The process of the webhooks service: `main.js [server] [worker]`; both roles if none is named. */
import { loadConfig } from '@carecover/config';
import { runProcess } from '@carecover/process';
import { startWebhooks } from './build';
import { SETTINGS } from './settings';

runProcess('webhooks', async (roles) => startWebhooks(loadConfig(SETTINGS), roles));
