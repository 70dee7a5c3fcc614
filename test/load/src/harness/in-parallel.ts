/** Makes so many of something, several at a time: preparation, never timed. */
const AT_ONCE = 8;

export async function inParallel<T>(count: number, make: (number: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  let next = 0;
  const work = async () => {
    while (next < count) {
      const number = next++;
      made[number] = await make(number);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return made;
}
