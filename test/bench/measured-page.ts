import type { Page } from "playwright-core";

/** The time of a visit until the page showed everything, and its requests. */
export type Visit = {
  milliseconds: number;
  /** Paths of the API with their queries. */
  requests: string[];
  /** Compressed code and styles. */
  kib: number;
};

/** A page that has shown everything for so long is ready. This time does not count. */
const QUIET_MS = 150;
const WAIT_MS = 60_000;

/** Runs in the page, before its own scripts. As a text, since the functions of a page know other types. */
const SCRIPT = `(() => {
  const sent = [];
  const fetchFromServer = window.fetch;
  window.fetch = async (...request) => {
    const { pathname, search } = new URL(request[0].url ?? request[0], location.href);
    // The stream of events never ends.
    if (pathname.endsWith("/events/stream")) return fetchFromServer(...request);
    const one = { path: pathname + search, isOpen: true };
    sent.push(one);
    const end = () => { one.isOpen = false; };
    try {
      const response = await fetchFromServer(...request);
      response.clone().arrayBuffer().then(end, end);
      return response;
    } catch (error) {
      end();
      throw error;
    }
  };
  window.measure = async (act, isShown) => {
    const [sentBefore, loadedBefore] = [sent.length, performance.getEntriesByType("resource").length];
    const started = performance.now();
    act();
    let shownAt;
    while (shownAt === undefined || performance.now() - shownAt < ${QUIET_MS}) {
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      if (now - started > ${WAIT_MS}) throw new Error("nothing is shown at " + location.href);
      const isReady = sent.every(({ isOpen }) => !isOpen)
        && document.querySelector('[role=status][aria-label="Loading"]') === null
        && isShown(sent.slice(sentBefore).map(({ path }) => path));
      shownAt = isReady ? (shownAt ?? now) : undefined;
    }
    const files = performance.getEntriesByType("resource").slice(loadedBefore).filter(({ name }) => /\\.(js|css)$/.test(name));
    return {
      milliseconds: shownAt - started,
      requests: sent.slice(sentBefore).map(({ path }) => path),
      kib: Math.round(files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024),
    };
  };
})()`;

export const makeMeasured = (page: Page): Promise<unknown> => page.addInitScript(SCRIPT);

/** Loads an address, and waits until it is ready. */
export async function load(page: Page, url: string): Promise<Visit> {
  await page.goto(url);
  const visit = await page.evaluate<Visit>(`measure(() => {}, () => document.querySelector("h1") !== null)`);
  const { now, kib } = await page.evaluate<{ now: number; kib: number }>(`({
    now: performance.now() - ${QUIET_MS},
    kib: Math.round(performance.getEntriesByType("resource").filter(({ name }) => /\\.(js|css)$/.test(name))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1024),
  })`);
  return { ...visit, milliseconds: now, kib };
}

/** Clicks a link of the navigation. The screen is ready when it has another title. */
export const open = (page: Page, href: string): Promise<Visit> =>
  page.evaluate<Visit>(`(() => {
    const title = () => document.querySelector("h1")?.textContent;
    const before = title();
    return measure(
      () => document.querySelector('nav a[href="${href}"]').click(),
      () => title() !== undefined && title() !== before,
    );
  })()`);

/** Types the last letter of a word. The assets are shown when the request for the word is answered. */
export const typeLastLetter = (page: Page, selector: string, word: string): Promise<Visit> =>
  page.evaluate<Visit>(`(() => {
    const input = document.querySelector(${JSON.stringify(selector)});
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
    return measure(
      () => {
        set.call(input, ${JSON.stringify(word)});
        input.dispatchEvent(new Event("input", { bubbles: true }));
      },
      (paths) => paths.some((path) => path.includes("q=${encodeURIComponent(word)}")),
    );
  })()`);
