/**
 * Recognizes the errors of every copy of the package. A process has several copies if one part imports the package and another part requires
 * it, if a bundler includes it twice, or if a test runner loads it in several realms. Each copy has its own classes.
 */

type ErrorClass = new (...args: never[]) => Error;

/**
 * Makes `instanceof` accept the errors that another copy of the package created with its class of this name. Subclasses accept only their own
 * instances.
 *
 * @param name the name of the class, which must never change: copies of different releases compare it
 * @example class ConnectionError extends Error { static { brand(ConnectionError, 'ConnectionError'); } }
 */
export function brand(errorClass: ErrorClass, name: string): void {
  const mark = Symbol.for(`@carecover/client/${name}`);
  Object.defineProperty(errorClass.prototype, mark, { value: true });
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: unknown, value: unknown) {
      if (this !== errorClass) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}
