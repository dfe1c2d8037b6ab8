import { errorCatalogue } from "../error-catalogue/catalogue.ts";
import type { ErrorCode } from "../error-catalogue/error-code.ts";
import type { RouteInfo } from "../plugins/route-table.ts";
import { escaped, page, prose } from "./page.ts";

/** The page that lists every code with cause, cure and the routes that can answer with it. */
export const errorsPage = (routes: readonly RouteInfo[]): string =>
  page(
    "Error codes",
    `<p>Programs should test <code>code</code>. For a code that they do not know they should go by the status.
      Messages are for people, and their wording may change. Surface A answers with its envelope, surface B with
      a problem of RFC 9457.</p>
      <table>
        <thead><tr><th>Code</th><th>Status</th><th>Cause and cure</th><th>Where it occurs</th></tr></thead>
        <tbody>
${errorCatalogue.map((entry) => row(entry, routes)).join("\n")}
        </tbody>
      </table>`,
  );

function row(entry: ErrorCode, routes: readonly RouteInfo[]): string {
  const { code, status, cause, cure, where } = entry;
  return `          <tr id="${code}">
            <th scope="row"><a href="#${code}"><code>${code}</code></a></th>
            <td>${status}</td>
            <td>${prose(cause)}<p class="cure">${prose(cure)}</p></td>
            <td>${prose(where)}${routeList(entry, routes)}</td>
          </tr>`;
}

function routeList(entry: ErrorCode, routes: readonly RouteInfo[]): string {
  const paths = routes
    .filter((route) => entry.appliesTo(route))
    .map(({ method, url }) => `<li><code>${method} ${escaped(url.replace(/:(\w+)/g, "{$1}"))}</code></li>`);
  if (paths.length === 0) return "";
  return `<details><summary>${paths.length} routes</summary><ul>${paths.join("")}</ul></details>`;
}

export const ERRORS_STYLE = `:root { color-scheme: light dark; --line: #8884; --quiet: #8882; }
body { margin: 0; font: 15px/1.55 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.5rem 4rem; }
h1 { margin: 0 0 1rem; font-size: 1.6rem; }
a { color: inherit; }
code { font: .88em/1.4 ui-monospace, monospace; background: var(--quiet); padding: .1em .3em; border-radius: 3px; }
pre { overflow: auto; font: .88em/1.45 ui-monospace, monospace; background: var(--quiet); padding: .8rem 1rem; border-radius: 4px; }
table { width: 100%; border-collapse: collapse; margin-top: 1.5rem; }
th, td { text-align: left; vertical-align: top; padding: .7rem .8rem .7rem 0; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: .85rem; opacity: .7; }
tbody th { font-weight: normal; white-space: nowrap; }
tr:target th, tr:target td { background: var(--quiet); }
.cure { margin: .35rem 0 0; opacity: .75; }
details { margin-top: .35rem; }
summary { cursor: pointer; opacity: .75; }
ul { margin: .4rem 0 0; padding-left: 1rem; }
@media (max-width: 48rem) { thead { display: none; } tr { display: block; border-top: 1px solid var(--line); padding: .6rem 0; }
  th, td { display: block; border: 0; padding: .2rem 0; white-space: normal; } }
`;
