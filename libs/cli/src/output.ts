/** Prints results on standard output: JSON for scripts, or lines of text for people. Nothing else is written there. */
import { styleText } from 'node:util';

export interface Output {
  write(text: string): void;
  /** Whether a person reads the output on a terminal. */
  readonly isTTY?: boolean;
}

/** Colours a text that starts with a sign, on a terminal: + green, - red. The setting NO_COLOR switches colours off. */
export function colourSign({ isTTY }: Output, text: string): string {
  const colour = /^\s*\+\d/.test(text) ? 'green' : /^\s*-\d/.test(text) ? 'red' : null;
  const isColoured = colour !== null && isTTY === true && !process.env.NO_COLOR;
  return isColoured ? styleText(colour, text, { validateStream: false }) : text;
}

/** Control characters of Unicode, such as ESC, and those that change the direction of text. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Replaces each control character by its escape sequence, because clients of the API choose texts that an operator's terminal prints. A
 * terminal executes control sequences: they can hide or change what it shows.
 *
 * @example escapeControls('a\u001b[2Jb') // 'a\\u001b[2Jb'
 */
export function escapeControls(text: string): string {
  return text.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Replaces control characters as {@link escapeControls} does, except line feeds and tabs, in a text that can have several lines. */
export function escapeControlsInLines(text: string): string {
  return text.replace(/[^\n\t]+/g, escapeControls);
}

/** Formats a value as JSON on one line. Control characters are escaped, which does not change the value. */
export function formatJson(value: unknown): string {
  return escapeControls(JSON.stringify(value));
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(',');
  return typeof value === 'object' ? formatJson(value) : escapeControls(String(value));
}

/** Prints one result: as JSON, or as text with one line per field. */
export function printResult(output: Output, json: boolean, result: object): void {
  if (json) {
    output.write(`${formatJson(result)}\n`);
    return;
  }
  const fields = Object.entries(result);
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  for (const [name, value] of fields) output.write(`${name.padEnd(width)}  ${cell(value)}\n`);
}

/** Prints several results: as JSON, or as a table with one column per field. @param paint adds colours to a padded cell */
export function printTable(
  output: Output,
  json: boolean,
  rows: readonly object[],
  paint: (text: string) => string = (text) => text,
): void {
  if (json) {
    output.write(`${formatJson(rows)}\n`);
    return;
  }
  const [first] = rows;
  if (first === undefined) {
    output.write('(none)\n');
    return;
  }
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => Object.values(row).map(cell))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  for (const line of lines) {
    output.write(
      `${line
        .map((text, column) => paint(text.padEnd(widths[column] ?? 0)))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}
