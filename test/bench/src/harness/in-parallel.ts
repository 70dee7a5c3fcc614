/** The maximum number of concurrent calls of {@link createInParallel}. */
const AT_ONCE = 8;

/**
 * Calls `create` with the numbers from 0 to `count` - 1, several concurrently, and returns the results in order. It is for the
 * preparation of data, not for measurements.
 */
export async function createInParallel<T>(
  count: number,
  create: (number: number) => Promise<T>,
): Promise<T[]> {
  const created: T[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next++;
      created[number] = await create(number);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return created;
}

/** Calls `create` for each value, one after the other, and returns the results in order. */
export async function createInOrder<V, T>(
  values: readonly V[],
  create: (value: V) => Promise<T>,
): Promise<T[]> {
  const created: T[] = [];
  for (const value of values) created.push(await create(value));
  return created;
}
