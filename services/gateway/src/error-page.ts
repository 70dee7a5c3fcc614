/** The page to which every error's `docs` lead: one anchor for each code, made from the contract's table. */
import { type ErrorExplanation, errorCodes } from '@carecover/contract';

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Text of the contract as HTML: what stands between backticks is code. */
function prose(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1c2733; background: #fff }
  section { border-top: 1px solid #d5dce3; padding: .5rem 0 }
  section:target { background: #fff8e1 }
  h2 { font-size: 1.1rem } h2 a { color: inherit; text-decoration: none }
  .status { color: #5b6b7a; font-weight: normal }
  dt { font-weight: 600 } dd { margin: 0 0 .5rem }`;

function section([code, entry]: [string, ErrorExplanation]): string {
  return `<section id="${code}">
<h2><a href="#${code}"><code>${code}</code></a> <span class="status">${entry.status}</span></h2>
<p>${prose(entry.explanation)}</p>
<dl><dt>What to do</dt><dd>${prose(entry.action)}</dd>
<dt>Retry unchanged</dt><dd>${entry.retry ? 'Yes, after Retry-After or with exponential backoff.' : 'No.'}</dd></dl>
</section>`;
}

/** The whole page. */
export function errorPage(): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Carecover API: errors</title><style>${STYLE}</style></head>
<body><h1>Errors</h1>
<p>Every error answer is <code>{"error": {"code", "message", "docs"}}</code>. Branch on <code>code</code>, which is stable;
<code>message</code> is for people. <code>docs</code> leads to the code's entry on this page.</p>
${Object.entries(errorCodes).map(section).join('\n')}
</body></html>
`;
}
