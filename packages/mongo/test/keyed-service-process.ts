import { startKeyedService } from "./keyed-service.ts";

/** The keyed service in a process of its own: it says where it is, and stays at the step that it is told. */
const [settings = "", halt] = process.argv.slice(2);
const { port } = await startKeyedService(JSON.parse(settings), async (step) => {
  if (step !== halt) return;
  process.stdout.write(`${step}\n`);
  await new Promise<never>(() => {});
});
process.stdout.write(`port ${port}\n`);
