/** The few shapes of which the guides' pictures are made. Readable without colours, on light and dark pages. */
export const PAPER = '#ffffff';
export const RAISED = '#eef4fa';
export const INK = '#1c2733';
export const LINE = '#5b6b7a';
export const ACCENT = '#0b63a5';

/** What each colour is where the reader prefers dark. */
const IN_THE_DARK = {
  [PAPER]: '#12171c',
  [RAISED]: '#1d2a36',
  [INK]: '#dfe6ec',
  [LINE]: '#9aa8b5',
  [ACCENT]: '#84bdf5',
};

function darkStyle(): string {
  const rules = Object.entries(IN_THE_DARK).map(
    ([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`,
  );
  return `<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style>`;
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface TextStyle {
  readonly size?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly colour?: string;
  readonly bold?: boolean;
}

export function text(x: number, y: number, words: string, style: TextStyle = {}): string {
  const { size = 13, anchor = 'middle', colour = INK, bold = false } = style;
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="${colour}" stroke="${PAPER}" stroke-width="4" paint-order="stroke"${weight}>${escaped(words)}</text>`;
}

export function line(x1: number, y1: number, x2: number, y2: number, extra = ''): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${LINE}" ${extra}/>`;
}

/** A picture that is told to who can't see it by its title and description. */
export function picture(
  size: { readonly width: number; readonly height: number },
  title: string,
  description: string,
  body: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    darkStyle(),
    `<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" fill="${LINE}"/></marker></defs>`,
    `<rect width="${size.width}" height="${size.height}" fill="${PAPER}"/>`,
    ...body,
    '</svg>',
    '',
  ].join('\n');
}
