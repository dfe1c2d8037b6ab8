import { setTimeout as sleep } from "node:timers/promises";
import { createApi } from "@asset-register/harness/client";
import { openStream } from "../../gateway/test/events/event-stream.ts";
import type { Prepared } from "./benchmark.ts";
import { type Follow, latencies, openEvents } from "./feed-latency.ts";
import type { BenchPlatform } from "./platform.ts";

type Entry = { data: { asset_id: string } };
type Page = { data: Entry[]; meta: { next_after: string } };

const POLL_MS = 1;
/** Few enough that each wait and each poll of the baseline finds one entry. */
const SINGLE = 5;
const HALF_LOAD = 1_000;

/** From the commit of an event to the client of a stream, and for the baseline to the entry in the database. */
export const feedStream = (bench: BenchPlatform): Promise<Prepared> =>
  compare(bench, "feed-stream", "an open stream of a key", HALF_LOAD, followStream(bench));

/** The same for a request that waits, when the workspace is quiet. */
export const feedWait = (bench: BenchPlatform): Promise<Prepared> =>
  compare(bench, "feed-wait", "requests with wait=25, one after the other", SINGLE, followWaits(bench));

async function compare(
  bench: BenchPlatform,
  name: string,
  client: string,
  perSecond: number,
  follow: Follow,
): Promise<Prepared> {
  const events = await openEvents(bench, bench.demo.workspace_id);
  const processes = () => ({ gateway: bench.platform.gateway.pid() ?? 0, ...events.processes() });
  return {
    benchmark: {
      name,
      work: `from the commit of an event in the register to ${client}, 99th percentile, ${perSecond} a second in one workspace; baseline: to the entry in the database`,
      compared: "p99",
      ours: { processes, run: (time) => latencies(perSecond, time, events.write, follow) },
      baseline: { processes, run: (time) => latencies(perSecond, time, events.write, events.follow) },
    },
    stop: events.close,
  };
}

function followStream({ demo }: BenchPlatform): Follow {
  return async (arrived, isOver) => {
    const stream = await openStream(`${demo.base_url}/v1/events/stream?types=asset.moved`, demo.api_key);
    for (let read = 0; !isOver(); await sleep(POLL_MS)) {
      for (const { data } of stream.events.slice(read)) arrived((data as Entry).data.asset_id);
      read = stream.events.length;
    }
    stream.close();
  };
}

function followWaits({ demo }: BenchPlatform): Follow {
  const api = createApi(`${demo.base_url}/v1`, demo.api_key);
  return async (arrived, isOver) => {
    const query = "types=asset.moved&limit=1000";
    let { next_after } = (await api.get<Page>(`/events?${query}&after=latest`)).meta;
    while (!isOver()) {
      const page = await api.get<Page>(`/events?${query}&wait=25&after=${encodeURIComponent(next_after)}`);
      for (const { data } of page.data) arrived(data.asset_id);
      next_after = page.meta.next_after;
    }
  };
}
