/** Temporal's namespace, and the search attributes by which operators find workflows. */
import { Connection } from '@temporalio/client';
import type { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { google, temporal } from '@temporalio/proto';
import * as keys from './search-attributes';
import { connectionOptions, type TemporalSettings } from './temporal-connection';
import { GRPC, hasGrpcCode } from './temporal-errors';

type SearchAttributeKey = ReturnType<typeof defineSearchAttributeKey<SearchAttributeType>>;

/** The search attributes of all workflows. They are not encrypted, so they never contain a member reference. */
export const SEARCH_ATTRIBUTES: readonly SearchAttributeKey[] = Object.values(keys);

/** How long Temporal keeps the history of a closed workflow. */
const RETENTION = google.protobuf.Duration.fromObject({ seconds: 30 * 24 * 60 * 60 });
const CALL_TIMEOUT_MS = 2_000;

const { IndexedValueType } = temporal.api.enums.v1;
const INDEXED_VALUE_TYPES: Readonly<Record<SearchAttributeType, temporal.api.enums.v1.IndexedValueType>> = {
  TEXT: IndexedValueType.INDEXED_VALUE_TYPE_TEXT,
  KEYWORD: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  INT: IndexedValueType.INDEXED_VALUE_TYPE_INT,
  DOUBLE: IndexedValueType.INDEXED_VALUE_TYPE_DOUBLE,
  BOOL: IndexedValueType.INDEXED_VALUE_TYPE_BOOL,
  DATETIME: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
  KEYWORD_LIST: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
};

/** Returns the type of each search attribute by its name, as Temporal's API expects them. */
export function indexedValueTypes(attributes: readonly SearchAttributeKey[] = SEARCH_ATTRIBUTES) {
  return Object.fromEntries(attributes.map(({ name, type }) => [name, INDEXED_VALUE_TYPES[type]]));
}

/**
 * Creates the namespace and its search attributes if they do not exist, and checks that Temporal accepts them in a query. The function
 * does not retry. The calling code must retry, because a server that is starting, or that just created the namespace, responds with an
 * error.
 *
 * @throws ServiceError with the error of Temporal
 */
export async function prepareNamespace(settings: TemporalSettings): Promise<void> {
  const connection = Connection.lazy({ ...connectionOptions(settings), connectTimeout: CALL_TIMEOUT_MS });
  try {
    await connection.withDeadline(Date.now() + CALL_TIMEOUT_MS, () =>
      prepare(connection, settings.TEMPORAL_NAMESPACE),
    );
  } finally {
    await connection.close();
  }
}

async function prepare(connection: Connection, namespace: string): Promise<void> {
  const { workflowService, operatorService } = connection;
  try {
    await workflowService.describeNamespace({ namespace });
  } catch (error) {
    if (!hasGrpcCode(error, GRPC.NOT_FOUND)) throw error;
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: RETENTION })
      .catch((failure: unknown) => {
        // The error ALREADY_EXISTS is ignored, because another process can have created the namespace concurrently.
        if (!hasGrpcCode(failure, GRPC.ALREADY_EXISTS)) throw failure;
      });
  }
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = SEARCH_ATTRIBUTES.filter(({ name }) => !(name in customAttributes));
  if (missing.length > 0) {
    await operatorService.addSearchAttributes({ namespace, searchAttributes: indexedValueTypes(missing) });
  }
  const query = SEARCH_ATTRIBUTES.map(({ name }) => `${name} is null`).join(' and ');
  await workflowService.countWorkflowExecutions({ namespace, query });
}
