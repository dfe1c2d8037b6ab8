import { startKeyedService } from "./keyed-service.ts";

/** Runs the keyed service in a separate process. It prints each step that equals `halt`, and stops there. */
const [settings = "", halt] = process.argv.slice(2);
const { port } = await startKeyedService(JSON.parse(settings), async (step) => {
  if (step !== halt) return;
  process.stdout.write(`${step}\n`);
  await new Promise<never>(() => {});
});
process.stdout.write(`port ${port}\n`);
