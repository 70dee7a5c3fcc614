Object.defineProperty(exports, '__esModule', { value: true });
exports.accessProvocations = void 0;
exports.accessProvocations = {
  getApi: { success: async () => ({}) },
  createToken: {
    success: async () => ({ body: { scopes: ['claims:read'], expires_in: 60 } }),
    validation_failed: async () => ({ body: { scopes: ['claims:read'], expires_in: 59 } }),
  },
};
