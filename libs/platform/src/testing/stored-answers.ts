/** Searches the stored responses of commands. They are compressed, so a search of the rows' text does not find their content. */
import { decodeAnswer, type Sql } from '..';

/** Returns the stored responses that contain the text, in the schema of the search path. */
export async function findStoredAnswers(sql: Sql, text: string): Promise<string[]> {
  const rows = await sql<{ answer: Buffer }[]>`select answer from commands where answer is not null`;
  return rows.map(({ answer }) => decodeAnswer(answer)).filter((answer) => answer.includes(text));
}
