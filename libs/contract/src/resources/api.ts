// The response to `GET /`: the version of the API, the environment of the key, and the resource areas.

import { type Static, Type } from 'typebox';
import { closedObject, objectName, stringEnum } from '../schema';

export const environments = ['sandbox', 'production'] as const;

export type Environment = (typeof environments)[number];

/** The resource areas, in the order of the response to `GET /`. */
export const resourceAreas = [
  'practitioners',
  'availability',
  'bookings',
  'sessions',
  'eligibility_checks',
  'preauthorizations',
  'claims',
  'remittances',
  'webhook_endpoints',
] as const;

export const Api = closedObject(
  'Api',
  'The version of the API and the environment of the key.',
  {
    object: objectName('api'),
    version: Type.Literal('v1', { description: 'The version in the path.' }),
    environment: stringEnum('Environment', environments, "The key's environment."),
    resources: Type.Array(Type.String(), { description: 'The resource areas.' }),
  },
  { object: 'api', version: 'v1', environment: 'sandbox', resources: [...resourceAreas] },
);
export type Api = Static<typeof Api>;
