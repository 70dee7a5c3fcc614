/** The process of the care service: `main.js [server] [worker]`, both where none is named. */
import { loadConfig, runProcess } from '@carecover/platform';
import { startCare } from './build';
import { SETTINGS } from './settings';

runProcess('care', async (roles) => startCare(loadConfig(SETTINGS), roles));
