/** The process of the claims service: `main.js [server] [worker]`. */
import { loadConfig, runProcess } from '@carecover/platform';
import { CLAIMS_SETTINGS, startClaims } from './claims';

runProcess('claims', async (roles) => startClaims(loadConfig(CLAIMS_SETTINGS), roles));
