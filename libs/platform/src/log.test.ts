import { createLog } from './log';

test("the database's words about a row, which may hold a member's reference, are not logged", () => {
  const lines: string[] = [];
  const log = createLog('benefits', 'info', { write: (line) => lines.push(line) });
  const refused = Object.assign(new Error('a check was violated'), {
    code: '23514',
    detail: 'Failing row contains (con_1, member-77).',
  });
  log.error({ err: refused }, 'fault');
  expect(lines.join('')).toContain('23514');
  expect(lines.join('')).not.toContain('member-77');
});
