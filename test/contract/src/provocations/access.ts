/** Provocations of `GET /` and of the creation of tokens. */
import type { Provocations } from './provocation';

export const accessProvocations: Provocations = {
  getApi: { success: async () => ({}) },
  createToken: {
    success: async () => ({ body: { scopes: ['claims:read'], expires_in: 60 } }),
    validation_failed: async () => ({ body: { scopes: ['claims:read'], expires_in: 59 } }),
  },
};
