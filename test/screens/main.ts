/**
 * Makes pictures of every screen of the console, at three widths, light and dark:
 * `npm run screens -- [--demo FILE] [--docs] [NAME...]`. With --film, of the steps of the main job instead.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findPdftoppm } from "@asset-register/harness";
import { type Api, createUserApi, type Demo } from "@asset-register/harness/client";
import { startDemoPlatform } from "@asset-register/local";
import type { Browser } from "playwright-core";
import { launchBrowser, openPageIn, originOf, signInAt } from "../e2e/console/chromium.ts";
import { playFilm, scenes } from "../e2e/console/film-steps.ts";
import { createCamera, type Size, type Theme } from "./camera.ts";
import { toWebp } from "./picture.ts";
import { type Screen, screens } from "./screens.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Not committed. */
const OUT = path.join(import.meta.dirname, "out");
/** Those that READMEs show. */
const DOCS = path.join(ROOT, "apps/console/docs");

const SIZES: readonly Size[] = [
  { width: 360, height: 800 },
  { width: 768, height: 1_024 },
  { width: 1_600, height: 1_000 },
];
const THEMES: readonly Theme[] = ["light", "dark"];

const HELP = `Makes pictures of the console's screens. Without --demo it starts a platform, and stops it afterwards.

  npm run screens -- [options] [name...]

  name          only the screens whose name begins with it (test/screens/screens.ts)
  --demo FILE   joins the running platform of this file, for example .local/demo.json
  --docs        only the pictures of the READMEs, into apps/console/docs
  --film        the steps of the main job (test/e2e/console/film-steps.ts) instead of the screens
`;

const log = (line: string): void => void process.stderr.write(`${line}\n`);

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    demo: { type: "string" },
    docs: { type: "boolean" },
    film: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  },
});
try {
  if (values.help) process.stdout.write(HELP);
  else await run();
} catch (error) {
  log(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const chosen = screens.filter(
    ({ name, docs }) =>
      (!values.docs || docs !== undefined) &&
      (names.length === 0 || names.some((prefix) => name.startsWith(prefix))),
  );
  if (chosen.length === 0) throw new Error(`There is no such screen: ${names.join(", ")}`);
  const platform = await (values.demo === undefined ? start() : join(values.demo));
  try {
    const browser = await launchBrowser();
    const done = values.film ? film(browser, platform.demo) : photograph(browser, platform.demo, chosen);
    await done.finally(() => browser.close());
  } finally {
    await platform.stop();
  }
}

/** A platform on temporary data. */
async function start(): Promise<{ demo: Demo; stop(): Promise<void> }> {
  const dataDirectory = await mkdtemp(path.join(tmpdir(), "asset-register-screens-"));
  const settings = { RATE_LIMIT_SESSION: "60000/10000", LOG_LEVEL: "warn" };
  // The servers may be those of the environment, with databases whose keys are those of another data folder.
  const topicPrefix = `screens${Date.now()}.`;
  const { demo, stop } = await startDemoPlatform({ dataDirectory, topicPrefix, settings, progress: log });
  return {
    demo,
    stop: async () => {
      await stop();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function join(demoFile: string): Promise<{ demo: Demo; stop(): Promise<void> }> {
  return { demo: JSON.parse(await readFile(demoFile, "utf8")), stop: async () => {} };
}

async function photograph(browser: Browser, demo: Demo, chosen: readonly Screen[]): Promise<void> {
  const origin = originOf(demo);
  const api = createUserApi(demo.base_url, demo);
  const visitor = await openPageIn(browser);
  const user = await openPageIn(browser);
  await signInAt(user.page, origin, demo);
  const cameras = { visitor: createCamera(visitor.page), user: createCamera(user.page) };
  for (const screen of chosen) {
    const { page, problems } = screen.isPublic ? visitor : user;
    const camera = screen.isPublic ? cameras.visitor : cameras.user;
    await page.goto(`${origin}/app/${await pathOf(screen, api)}`);
    await camera.settle();
    await screen.steps?.(page);
    for (const size of SIZES) {
      for (const theme of THEMES) {
        if (values.docs && (size.width !== screen.docs || theme !== "light")) continue;
        const file = values.docs
          ? path.join(DOCS, `${screen.name}.webp`)
          : path.join(OUT, `${screen.name}-${size.width}-${theme}.webp`);
        const picture = await toWebp(await camera.take(size, theme, !values.docs));
        await mkdir(path.dirname(file), { recursive: true });
        await writeFile(file, picture);
      }
    }
    log(`${screen.name}${problems.splice(0).map((problem) => `\n  the browser reports: ${problem}`)}`);
  }
}

/** A picture of each scene, as a person with a small window sees it. */
async function film(browser: Browser, demo: Demo): Promise<void> {
  const pdftoppm = await findPdftoppm();
  if (pdftoppm === undefined) throw new Error("The film needs pdftoppm, which draws the label");
  const { page } = await openPageIn(browser, 1_024);
  await signInAt(page, originOf(demo), demo);
  const camera = createCamera(page);
  const folder = values.docs ? DOCS : OUT;
  await mkdir(folder, { recursive: true });
  await playFilm({
    ...{ demo, page, pdftoppm },
    onScene: async (scene) => {
      await camera.settle();
      const picture = await toWebp(await camera.take({ width: 1_024, height: 720 }, "light", false));
      await writeFile(path.join(folder, `film-${scenes.indexOf(scene) + 1}-${scene}.webp`), picture);
      log(scene);
    },
  });
}

async function pathOf({ name, path, first }: Screen, api: Api): Promise<string> {
  if (first === undefined) return path;
  const { data } = await api.get<{ data: { id: string }[] }>(first);
  if (data[0] === undefined) throw new Error(`${name}: ${first} has no record`);
  return path.replace(":id", data[0].id);
}
