// Validators of answers, for tests and clients: does an answer keep what the contract promises?
import type { ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { lazily } from './ajv';
import { errorStatus } from './errors';
import { Event } from './events/event';
import type { Problem } from './operation';
import { type Operation, type OperationId, operationErrors, operations } from './operations';
import { problem, toProblems } from './problem';
import { ErrorEnvelope } from './resources/error';

const compiled = new Map<TSchema, () => ValidateFunction>();

function validatorOf(schema: TSchema): ValidateFunction {
  const known = compiled.get(schema) ?? lazily(schema);
  compiled.set(schema, known);
  return known();
}

function violation(schema: TSchema, body: unknown): Problem | undefined {
  const validate = validatorOf(schema);
  return validate(body) ? undefined : toProblems(validate.errors, '')[0];
}

/** The schemas of the bodies, other than errors, that an operation answers with a status. */
export function outputSchemas(operation: Operation, status: number): TSchema[] {
  return [...operation.success, ...(operation.failures ?? [])]
    .filter((answer) => answer.status === status)
    .map((answer) => answer.schema);
}

function validateError(operation: Operation, status: number, body: unknown): Problem | undefined {
  const wrongShape = violation(ErrorEnvelope, body);
  if (wrongShape) return wrongShape;
  const { code } = (body as ErrorEnvelope).error;
  if (errorStatus(code) !== status) return problem('/error/code', `belongs to another status than ${status}`);
  return operationErrors(operation).includes(code)
    ? undefined
    : problem('/error/code', `is not documented for ${operation.id}`);
}

/** What is wrong with an operation's answer of a status, or undefined: an undocumented status, body or error code. */
export function validateOutput(id: OperationId, status: number, body: unknown): Problem | undefined {
  const operation: Operation = operations[id];
  const schemas = outputSchemas(operation, status);
  if (schemas.length > 0) {
    const violations = schemas.map((schema) => violation(schema, body));
    return violations.includes(undefined) ? undefined : violations[0];
  }
  if (!operationErrors(operation).some((code) => errorStatus(code) === status)) {
    return problem('', `has the undocumented status ${status}`);
  }
  return validateError(operation, status, body);
}

/** What is wrong with an event as it was listed or delivered, or undefined. */
export function validateEvent(body: unknown): Problem | undefined {
  return violation(Event, body);
}
