/** Searches the stored responses of commands. They are compressed, so a search of the rows' text does not find their content. */
import { decodeResponse } from '@carecover/commands';
import type { Sql } from '@carecover/postgres';

/** Returns the stored responses that contain the text, in the schema of the search path. */
export async function findStoredAnswers(sql: Sql, text: string): Promise<string[]> {
  const rows = await sql<{ response: Buffer }[]>`select response from commands where response is not null`;
  return rows.map(({ response }) => decodeResponse(response)).filter((response) => response.includes(text));
}
