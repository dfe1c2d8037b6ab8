import type { Page } from "playwright-core";
import { launchBrowser, openPageIn, originOf, signInAt } from "../e2e/console/chromium.ts";
import type { Survey } from "./benchmark.ts";
import { addGeneratedAssets } from "./generated-register.ts";
import { load, makeMeasured, open, typeLastLetter, type Visit } from "./measured-page.ts";
import type { BenchPlatform } from "./platform.ts";

const ASSETS = 100_000;
const SCREEN_GOAL_MS = 1_000;
const SEARCH_GOAL_MS = 300;
/** Of the first view of a screen. */
const MAX_REQUESTS = 2;
/** A quick typist. */
const TYPING_MS = 150;

/** Words of three assets, of one, of none, and of all. */
const words = { rare: "theodolite", number: "AST-000001", unknown: "zzzz", common: "ast" };
const searches = { table: "#content input[type=search]", spotlight: "[role=dialog] input" };

/**
 * The console with 100,000 assets, in Chromium: the time from a click in the navigation until the screen is usable, each
 * in a page that holds no data yet, and the time from the last letter of a word until its assets are shown.
 */
export async function consoleScreens(bench: BenchPlatform): Promise<Survey> {
  await addGeneratedAssets(bench, ASSETS);
  for (let count = 0; count < 3; count += 1) await bench.userApi.post("/assets", { name: "Theodolite T2" });
  const origin = originOf(bench.demo);
  const browser = await launchBrowser();
  const { page, problems } = await openPageIn(browser);
  await makeMeasured(page);
  await signInAt(page, origin, bench.demo);
  const areas = await page.evaluate<string[]>(
    `[...document.querySelectorAll("nav a")].map((link) => link.getAttribute("href"))`,
  );

  async function visitAll(): Promise<Map<string, Visit>> {
    const visits = new Map<string, Visit>();
    for (const area of areas) {
      // Another screen, which shares no data with it.
      const before = area.startsWith("/app/settings") ? "/app/places" : "/app/settings";
      const loaded = await load(page, origin + before);
      if (!visits.has("first load")) visits.set("first load", loaded);
      visits.set(`screen ${area}`, await open(page, area));
    }
    await load(page, `${origin}/app/assets`);
    for (const [place, selector] of Object.entries(searches)) {
      if (place === "spotlight") await page.getByRole("banner").getByText("Search").click();
      for (const [kind, word] of Object.entries(words))
        visits.set(`search in the ${place}, ${kind}`, await search(page, selector, word));
    }
    return visits;
  }

  return {
    async survey(rounds, progress) {
      // Compiles the code of the services, and fills the browser's cache of files.
      await visitAll();
      const all: Map<string, Visit>[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        progress(`console: round ${round} of ${rounds}`);
        all.push(await visitAll());
      }
      const rows = [...(all[0]?.keys() ?? [])].map((name) => ({
        name,
        ...summaryOf(all.flatMap((round) => round.get(name) ?? [])),
      }));
      return { name: "console", assets: ASSETS, rows, problems, lines: linesOf(rows) };
    },
    stop: () => browser.close(),
  };
}

async function search(page: Page, selector: string, word: string): Promise<Visit> {
  const input = page.locator(selector);
  await input.fill("");
  await input.pressSequentially(word.slice(0, -1), { delay: TYPING_MS });
  await page.waitForTimeout(TYPING_MS);
  return typeLastLetter(page, selector, word);
}

function summaryOf(visits: Visit[]) {
  const times = visits.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);
  const at = (share: number): number => Math.round(times[Math.ceil(times.length * share) - 1] ?? 0);
  const { requests = [], kib = 0 } = visits.at(-1) ?? {};
  return { p50: at(0.5), p95: at(0.95), kib, requests };
}

function linesOf(rows: (ReturnType<typeof summaryOf> & { name: string })[]): string[] {
  const lines = rows.flatMap(({ name, p50, p95, kib, requests }) => {
    const isSearch = name.startsWith("search");
    const goal = isSearch ? SEARCH_GOAL_MS : SCREEN_GOAL_MS;
    const line = `${name}  p50 ${p50} ms, p95 ${p95} ms (goal ${goal})  ${requests.length} requests  ${kib} KiB of code`;
    return requests.length > MAX_REQUESTS ? [line, ...requests.map((path) => `    ${path}`)] : [line];
  });
  return [`console: ${ASSETS} assets`, ...lines];
}
