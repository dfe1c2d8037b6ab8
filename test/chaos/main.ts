import { writeFileSync } from "node:fs";
import { describeError } from "@asset-register/local";
import { startChaosCluster } from "./cluster/cluster.ts";
import { formatClusterResult } from "./cluster/format.ts";
import { parseClusterOptions } from "./cluster/options.ts";
import { isClean, runClusterChaos } from "./cluster/run.ts";
import { isFaultless } from "./compare.ts";
import { parseChaosOptions } from "./options.ts";
import { startChaosPlatform } from "./platform.ts";
import { runChaos } from "./run.ts";
import { formatResult } from "./table.ts";

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function main(args: string[]): Promise<void> {
  if (args.includes("--cluster")) return disturbCluster(args);
  const options = parseChaosOptions(args);
  if (options === undefined) return;
  const platform = await startChaosPlatform({ progress });
  try {
    const result = await runChaos(platform, options, progress);
    process.stdout.write(`${formatResult(result)}\n`);
    if (!isFaultless(result.comparison) || result.faults.length > 0) process.exitCode = 1;
  } finally {
    await platform.stop();
  }
}

async function disturbCluster(args: string[]): Promise<void> {
  const options = parseClusterOptions(args);
  if (options === undefined) return;
  const chaos = await startChaosCluster({ roles: options.roles, faults: options.faults }, progress);
  try {
    const result = await runClusterChaos(chaos, options, progress);
    const text = `${formatClusterResult(result)}\n`;
    process.stdout.write(text);
    if (options.file !== undefined) writeFileSync(options.file, text);
    if (!isClean(result)) process.exitCode = 1;
  } finally {
    await chaos.stop();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}
