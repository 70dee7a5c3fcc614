/** The process of the payments service: `main.js [server] [worker]`. */
import { loadConfig, runProcess } from '@carecover/platform';
import { startPayments } from './payments';
import { settings } from './settings';

runProcess('payments', async (roles) => startPayments(loadConfig(settings), roles));
