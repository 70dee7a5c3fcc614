// Validators of responses and events. Tests use them to check that responses satisfy the contract.
import type { ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { compileLazily } from './ajv';
import { errorStatus } from './errors';
import { Event } from './events/event';
import { type Operation, type OperationId, operationErrors, operations } from './operations';
import type { Problem } from './operations/definition';
import { problem, toProblems } from './problem';
import { ErrorEnvelope } from './resources/error';

const compiled = new Map<TSchema, () => ValidateFunction>();

function cachedValidator(schema: TSchema): ValidateFunction {
  const validator = compiled.get(schema) ?? compileLazily(schema);
  compiled.set(schema, validator);
  return validator();
}

function findViolation(schema: TSchema, body: unknown): Problem | undefined {
  const validate = cachedValidator(schema);
  return validate(body) ? undefined : toProblems(validate.errors, '')[0];
}

/** Returns the schemas of the bodies that an operation documents for a status, except API errors. */
export function outputSchemas(operation: Operation, status: number): TSchema[] {
  return [...operation.success, ...(operation.failures ?? [])]
    .filter((response) => response.status === status)
    .map((response) => response.schema);
}

function validateError(operation: Operation, status: number, body: unknown): Problem | undefined {
  const wrongShape = findViolation(ErrorEnvelope, body);
  if (wrongShape) return wrongShape;
  const { code } = (body as ErrorEnvelope).error;
  if (errorStatus(code) !== status) return problem('/error/code', `belongs to another status than ${status}`);
  return operationErrors(operation).includes(code)
    ? undefined
    : problem('/error/code', `is not documented for ${operation.id}`);
}

/**
 * Returns the first violation of the contract in a response, or undefined if there is none. An undocumented status, body or
 * error code is a violation.
 *
 * @example validateOutput('getClaim', response.status, await response.json()) // undefined
 */
export function validateOutput(id: OperationId, status: number, body: unknown): Problem | undefined {
  const operation: Operation = operations[id];
  const schemas = outputSchemas(operation, status);
  if (schemas.length > 0) {
    const violations = schemas.map((schema) => findViolation(schema, body));
    return violations.includes(undefined) ? undefined : violations[0];
  }
  if (!operationErrors(operation).some((code) => errorStatus(code) === status)) {
    return problem('', `has the undocumented status ${status}`);
  }
  return validateError(operation, status, body);
}

/** Returns the first violation of the contract in a listed or delivered event, or undefined if there is none. */
export function validateEvent(body: unknown): Problem | undefined {
  return findViolation(Event, body);
}
