/** The process of the care service: `main.js [server] [worker]`; without a role, it runs both. */
import { loadConfig } from '@carecover/config';
import { runProcess } from '@carecover/process';
import { startCare } from './build';
import { SETTINGS } from './settings';

runProcess('care', async (roles) => startCare(loadConfig(SETTINGS), roles));
