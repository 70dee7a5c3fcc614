// What the service says of itself: its version, the environment of the key, and the areas it covers.
import Type, { type Static } from 'typebox';
import { closedObject, objectName, oneOf } from '../schema';

export const environments = ['sandbox', 'production'] as const;

export type Environment = (typeof environments)[number];

/** The resource areas, in the order in which GET / names them. */
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
  'The API as the presented key sees it.',
  {
    object: objectName('api'),
    version: Type.Literal('v1', { description: 'The version that the path names.' }),
    environment: oneOf(environments, "The key's environment."),
    resources: Type.Array(Type.String(), { description: 'The resource areas.' }),
  },
  { object: 'api', version: 'v1', environment: 'sandbox', resources: [...resourceAreas] },
);
export type Api = Static<typeof Api>;
