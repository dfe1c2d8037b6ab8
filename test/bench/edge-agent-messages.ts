import { startAgentProcess } from "../../apps/edge-agent/test/site/agent-process.ts";
import type { Prepared } from "./benchmark.ts";
import { startBaseline } from "./child.ts";
import { readerSetting } from "./edge-agent.ts";
import { httpLoad } from "./load.ts";
import type { BenchPlatform } from "./platform.ts";
import { createReaders, readSource, rotate, runApiRoleOnly } from "./readers.ts";

const READERS = 4;
const IN_FLIGHT = 16;
const TOKEN = "token-of-the-readers";

/** Readers that post each read alone, until it is on the agent's disk. Meanwhile the agent sends to the platform. */
export async function edgeAgentMessages(bench: BenchPlatform): Promise<Prepared> {
  const readers = await createReaders(bench, READERS);
  const undo = await runApiRoleOnly(bench);
  const agent = await startAgentProcess({
    platformUrl: bench.demo.base_url,
    readers: readers.map((reader) => {
      const { input, ...setting } = readerSetting(reader);
      return { ...setting, input: { ...input, auth: { token: TOKEN } } };
    }),
  });
  const bare = await startBaseline("baseline-messages.ts");
  const [read, nextReader] = [readSource(), rotate(readers)];
  const load = (origin: string, processes: () => Record<string, number>) =>
    httpLoad({
      ...{ origin, processes, inFlight: IN_FLIGHT, expected: 204 },
      next: () => ({
        ...{
          method: "POST",
          path: `/readers/${nextReader().id}`,
          body: JSON.stringify({ events: [read()] }),
        },
        headers: { "content-type": "application/json", authorization: `Bearer ${TOKEN}` },
      }),
    });
  return {
    benchmark: {
      name: "edge-agent-messages",
      work: `messages of one read of ${READERS} readers to an agent with a token, until it is on the disk, ${IN_FLIGHT} in flight; baseline: a bare HTTP server with one commit for each message`,
      ours: load(new URL(agent.readerUrl("x")).origin, () => ({ client: process.pid, agent: agent.pid() })),
      baseline: load(bare.origin, () => ({ client: process.pid, bare: bare.pid })),
    },
    async stop() {
      await bare.stop();
      await agent.stop();
      await undo();
    },
  };
}
