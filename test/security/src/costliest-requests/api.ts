/** The costliest requests of the operations that the gateway executes itself. */
import { type operations, scopes } from '@carecover/contract';
import { newId } from '@carecover/domain';
import type { Costliest } from './costly';

const RESOURCES = 100;

export const apiRequests = {
  getApi: { create: async () => [{}] },
  createToken: {
    create: async () => [
      {
        body: {
          scopes: [...scopes],
          expires_in: 3_600,
          resource_ids: Array.from({ length: RESOURCES }, () => newId('clm_')),
        },
      },
    ],
  },
} satisfies Partial<Record<keyof typeof operations, Costliest>>;
