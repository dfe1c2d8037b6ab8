import { type Html, html } from "./html.ts";
import type { ReaderStatus, Status } from "./status.ts";
import { bufferLines, platformLines, readerLines } from "./status-lines.ts";

const STYLE = `
  :root { color-scheme: light dark; --line: light-dark(#d0d5dd, #3b4252); --bad: light-dark(#b42318, #ff8a80);
    --soft: light-dark(#566072, #a3adbd); }
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1rem; }
  h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
  h2 { font-size: 1.1rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
  main { align-items: start; display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); }
  section { border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; min-width: 0; }
  dl { margin: 0; }
  dl div { display: flex; flex-wrap: wrap; justify-content: space-between; column-gap: .75rem; }
  dt { color: var(--soft); }
  dd { margin: 0 0 0 auto; overflow-wrap: break-word; max-width: 100%; text-align: right; font-variant-numeric: tabular-nums; }
  .bad { color: var(--bad); font-weight: 600; }
  .wide { grid-column: 1 / -1; }
  ul { margin: .25rem 0 0; padding-left: 1.25rem; overflow-wrap: anywhere; }
  p { color: var(--soft); margin: 0 0 1rem; }
`;

/** The page, complete: it needs no other file. `nonce` allows its style. */
export function pageText(status: Status, nonce: string): string {
  const name = status.agent?.name ?? "not enrolled";
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="5">
<title>Edge agent</title>
<style nonce="${nonce}">${{ html: STYLE }}</style>
</head>
<body>
<h1>Edge agent</h1>
<p>${name}, version ${status.version}. <a href="/status.json">status.json</a> <a href="/metrics">metrics</a></p>
<main>
${section("Platform", platformLines(status))}
${section("Buffer", bufferLines(status))}
${status.readers.map(readerSection)}
${refusedSection(status)}
</main>
</body>
</html>
`.html;
}

type Line = readonly [label: string, value: string, isBad?: boolean];

const list = (lines: readonly Line[]): Html =>
  html`<dl>${lines.map(([label, value, isBad]) => html`<div><dt>${label}</dt><dd class="${isBad ? "bad" : ""}">${value}</dd></div>`)}</dl>`;

const section = (title: string, lines: readonly Line[]): Html =>
  html`<section><h2>${title}</h2>${list(lines)}</section>`;

const readerSection = (reader: ReaderStatus): Html => section(reader.name, readerLines(reader));

function refusedSection({ refused }: Status): Html {
  if (refused.by_code.length === 0) return html``;
  const sums = refused.by_code.map(
    ({ reader, code, events }) => [`${reader} ${code}`, String(events), true] as const,
  );
  const newest = refused.newest.map(
    ({ at, reader, code, event }) => html`<li>${at} ${reader} ${code} ${event}</li>`,
  );
  return html`<section class="wide"><h2>Refused by the platform</h2>${list(sums)}<ul>${newest}</ul></section>`;
}
