const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? "");

/** HTML of a text where `...` marks code. */
export const prose = (text: string): string => escaped(text).replace(/`([^`]+)`/g, "<code>$1</code>");

/** A page of the documentation, without scripts. `content` is HTML. */
export const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)} - Asset Register API</title>
    <link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
    <link rel="stylesheet" href="/docs/errors.css">
  </head>
  <body>
    <main>
      <p><a href="/docs">Reference</a></p>
      <h1>${escaped(title)}</h1>
      ${content}
    </main>
  </body>
</html>
`;
