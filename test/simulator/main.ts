import { readFile } from "node:fs/promises";
import { createApi, type Demo } from "@asset-register/harness/client";
import { prepareFleet } from "./fleet.ts";
import { parseOptions } from "./options.ts";
import { createReport } from "./report.ts";
import { runFleet } from "./run.ts";
import { createSender } from "./send.ts";
import { playStocktake } from "./stocktake.ts";
import { playThroughAgent } from "./through-agent/play.ts";

const progress = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(): Promise<void> {
  const options = parseOptions(process.argv.slice(2));
  if (options === undefined) return;
  const demo = await readDemo(options.demoFile);
  if (options.stocktake) return playStocktake(options, demo, progress);
  if (options.throughAgent) return playThroughAgent(options, demo, progress);
  const fleet = await prepareFleet(options, demo, progress);
  const report = createReport();
  const send = createSender({
    keyApi: createApi(`${demo.base_url}/v1`, demo.api_key),
    devices: createApi(`${demo.base_url}/asset_manager_api`),
    report,
  });
  const started = performance.now();
  const elapsed = (): number => (performance.now() - started) / 1000;
  const ticker = setInterval(() => progress(report.line(elapsed())), 2000);
  await runFleet(fleet, options, send).finally(() => clearInterval(ticker));
  progress(report.summary(elapsed()));
}

async function readDemo(file: string): Promise<Demo> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(`Can't read ${file}. Start the platform with "npm start" first.`, { cause: error });
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
