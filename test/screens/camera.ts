import type { Page, Request } from "playwright-core";

export type Theme = "light" | "dark";
export type Size = { width: number; height: number };

/** A screen is ready if nothing was asked for this long. */
const QUIET_MS = 300;
const WAIT_MS = 60_000;
/** A longer page is cut: its picture would be too large to look at. */
const MAX_HEIGHT = 1_600;
const READY = `document.querySelector("h1, h2, [role=dialog]") !== null &&
  document.querySelector('[role=status][aria-label="Loading"]') === null`;

/** Makes pictures of one page. `settle` waits until everything that it shows is loaded. */
export function createCamera(page: Page) {
  const open = new Set<Request>();
  let lastChange = Date.now();
  const ended = (request: Request): void => {
    if (open.delete(request)) lastChange = Date.now();
  };
  page.on("request", (request) => {
    // The stream of events never ends.
    if (request.url().includes("/events/stream")) return;
    open.add(request);
    lastChange = Date.now();
  });
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);

  async function settle(): Promise<void> {
    const endsAt = Date.now() + WAIT_MS;
    const isReady = async (): Promise<boolean> =>
      open.size === 0 && Date.now() - lastChange >= QUIET_MS && (await page.evaluate<boolean>(READY));
    while (!(await isReady())) {
      if (Date.now() > endsAt) throw new Error(`${page.url()} is still loading`);
      await page.waitForTimeout(QUIET_MS / 3);
    }
  }

  async function take({ width, height }: Size, theme: Theme, isWhole: boolean): Promise<Buffer> {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
    await settle();
    const whole = Number(await page.evaluate("document.documentElement.scrollHeight"));
    const clip = { x: 0, y: 0, width, height: isWhole ? Math.min(whole, MAX_HEIGHT) : height };
    return page.screenshot({ clip, fullPage: isWhole, animations: "disabled", caret: "hide" });
  }

  return { settle, take };
}
