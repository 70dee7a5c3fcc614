/** The process of the care service: `main.js [server] [worker]`. */
import { loadConfig, runProcess } from '@carecover/platform';
import { CARE_SETTINGS, startCare } from './care';

runProcess('care', async (roles) => startCare(loadConfig(CARE_SETTINGS), roles));
