"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.describeClaim = exports.startClaims = exports.CLAIMS_SETTINGS = void 0;
/** The claims service for those who start, test or look into it. */
var claims_1 = require("./claims");
Object.defineProperty(exports, "CLAIMS_SETTINGS", { enumerable: true, get: function () { return claims_1.CLAIMS_SETTINGS; } });
Object.defineProperty(exports, "startClaims", { enumerable: true, get: function () { return claims_1.startClaims; } });
var describe_1 = require("./describe");
Object.defineProperty(exports, "describeClaim", { enumerable: true, get: function () { return describe_1.describeClaim; } });
