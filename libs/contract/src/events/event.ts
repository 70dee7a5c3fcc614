// An event as it is stored, listed and delivered: the envelope with the data of its type.

import { type Static, type TSchema, Type } from 'typebox';
import { exampleIdentifier, identifier } from '../identifiers';
import { closedObject, objectName, outputInstant, safeInteger } from '../schema';
import {
  BulkJobEventData,
  ClaimEventData,
  PingEventData,
  PreauthorizationEventData,
  RemittanceEventData,
} from './data';
import { eventExamples } from './examples';
import { EVENT_SCHEMA_VERSION, type EventType, eventCatalogue, eventTypes } from './types';

const dataSchemas = {
  ping: PingEventData,
  preauthorization: PreauthorizationEventData,
  claim: ClaimEventData,
  remittance: RemittanceEventData,
  bulkJob: BulkJobEventData,
};

type DataSchema<T extends EventType> = (typeof dataSchemas)[(typeof eventCatalogue)[T]['about']];

/** The data of events of type `T`. */
export type EventData<T extends EventType = EventType> = Static<DataSchema<T>>;

interface Envelope<T extends EventType> {
  id: string;
  object: 'event';
  type: T;
  schema_version: typeof EVENT_SCHEMA_VERSION;
  resource_version: number;
  created_at: string;
  livemode: boolean;
  data: EventData<T>;
}

/** An event of any type, or of type `T`. */
export type Event<T extends EventType = EventType> = { [K in T]: Envelope<K> }[T];

function eventSchema(type: EventType): TSchema {
  const { about, meaning } = eventCatalogue[type];
  const data = dataSchemas[about];
  const [version, example] = eventExamples[type];
  const name = type.replace(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return closedObject(
    `${name}Event`,
    meaning,
    {
      id: identifier('event', "The event's identifier; also the webhook-id header of every delivery."),
      object: objectName('event'),
      type: Type.Literal(type, { description: 'The type of the event.' }),
      schema_version: Type.Literal(EVENT_SCHEMA_VERSION, {
        description: "The version of the event's format.",
      }),
      resource_version: safeInteger(
        'Increases with each event of the resource. Use it to order events. It is not the sequence of a fact.',
        1,
      ),
      created_at: outputInstant('When the change happened.'),
      livemode: Type.Boolean({ description: 'True in production.' }),
      data,
    },
    {
      id: exampleIdentifier('event'),
      object: 'event',
      type,
      schema_version: EVENT_SCHEMA_VERSION,
      resource_version: version,
      created_at: '2025-03-17T10:00:00.000Z',
      livemode: false,
      data: example,
    },
  );
}

/** The schema of every event type. */
export const eventSchemas = Object.fromEntries(eventTypes.map((type) => [type, eventSchema(type)])) as Record<
  EventType,
  TSchema
>;

export const Event = Type.Unsafe<Event>({
  title: 'Event',
  description: 'An event. `type` determines the format of `data`.',
  type: 'object',
  discriminator: { propertyName: 'type' },
  oneOf: Object.values(eventSchemas),
  examples: Reflect.get(eventSchemas['claim.settled'], 'examples'),
} as TSchema);
