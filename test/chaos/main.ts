import { isFaultless } from "./compare.ts";
import { parseChaosOptions } from "./options.ts";
import { startChaosPlatform } from "./platform.ts";
import { runChaos } from "./run.ts";
import { formatResult } from "./table.ts";

const progress = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

async function main(): Promise<void> {
  const options = parseChaosOptions(process.argv.slice(2));
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

try {
  await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
