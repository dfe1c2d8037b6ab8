/** The settings of Scalar: our documents, and no feature that sends requests to another host. */
const CONFIGURATION = {
  sources: [
    { title: "Surface A: programs, /v1", slug: "surface-a", url: "/openapi/surface-a.json" },
    { title: "Surface B: apps of people", slug: "surface-b", url: "/openapi/surface-b.json" },
  ],
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  persistAuth: false,
  defaultOpenAllTags: false,
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  metaData: { title: "Asset Register API" },
};

export const START_SCRIPT = `Scalar.createApiReference("#app", ${JSON.stringify(CONFIGURATION)});\n`;

export const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Asset Register API</title>
    <link rel="icon" type="image/svg+xml" href="/docs/icon.svg">
  </head>
  <body>
    <div id="app"></div>
    <script src="/docs/scalar.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The icon of the pages: an asset tag. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#1f6feb" d="M4 4h13l11 11-13 13L4 17z"/><circle cx="11" cy="11" r="2.5" fill="#fff"/></svg>
`;
