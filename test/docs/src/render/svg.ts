/** Renders SVG shapes for the pictures in the guides, which are readable on light and dark pages and without colours. */
const PAPER = '#ffffff';
export const RAISED = '#eef4fa';
export const INK = '#1c2733';
export const LINE = '#5b6b7a';
export const ACCENT = '#0b63a5';

/** The colour in the dark colour scheme for each colour of the light one. */
const DARK_COLOURS = {
  [PAPER]: '#12171c',
  [RAISED]: '#1d2a36',
  [INK]: '#dfe6ec',
  [LINE]: '#9aa8b5',
  [ACCENT]: '#84bdf5',
};

function darkStyle(): string {
  const rules = Object.entries(DARK_COLOURS).map(
    ([light, dark]) => `[fill="${light}"]{fill:${dark}}[stroke="${light}"]{stroke:${dark}}`,
  );
  return `<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style>`;
}

/** Escapes text for XML. */
function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

interface TextStyle {
  readonly size?: number;
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly colour?: string;
  readonly bold?: boolean;
  /** Whether the text has an outline in the colour of the page, so that it can be read on lines. It is false for text in a box. */
  readonly outlined?: boolean;
}

export function renderText(x: number, y: number, content: string, style: TextStyle = {}): string {
  const { size = 13, anchor = 'middle', colour = INK, bold = false, outlined = true } = style;
  const weight = bold ? ' font-weight="600"' : '';
  const outline = outlined ? ` stroke="${PAPER}" stroke-width="4" paint-order="stroke"` : '';
  return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="${colour}"${outline}${weight}>${escapeXml(content)}</text>`;
}

export function renderLine(x1: number, y1: number, x2: number, y2: number, extra = ''): string {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${LINE}" ${extra}/>`;
}

/** Renders an SVG picture with a title and a description for screen readers. */
export function renderPicture(
  size: { readonly width: number; readonly height: number },
  title: string,
  description: string,
  body: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-labelledby="title description" font-family="system-ui, sans-serif">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="description">${escapeXml(description)}</desc>`,
    darkStyle(),
    `<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" fill="${LINE}"/></marker></defs>`,
    `<rect width="${size.width}" height="${size.height}" fill="${PAPER}"/>`,
    ...body,
    '</svg>',
    '',
  ].join('\n');
}
