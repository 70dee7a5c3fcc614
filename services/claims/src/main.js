"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
/** The process of the claims service: `main.js [server] [worker]`. */
const platform_1 = require("@carecover/platform");
const claims_1 = require("./claims");
(0, platform_1.runProcess)('claims', async (roles) => (0, claims_1.startClaims)((0, platform_1.loadConfig)(claims_1.CLAIMS_SETTINGS), roles));
