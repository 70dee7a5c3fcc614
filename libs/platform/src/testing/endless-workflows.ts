/** Workflows of a test: one that never returns from its code, and one that does. */
export async function endless(): Promise<void> {
  for (;;);
}

export async function short(): Promise<string> {
  return 'done';
}
