import { setTimeout as delay } from "node:timers/promises";
import mongoose from "mongoose";
import { bareLines } from "./bare-lines.ts";
import type { Prepared, Work } from "./benchmark.ts";
import { depreciatedAssets } from "./depreciated-assets.ts";
import { residentMiB } from "./memory.ts";
import type { BenchPlatform } from "./platform.ts";

/** Assets with a line each. 100,000 show that the memory does not grow with them. */
const ASSETS = Number(process.env.BENCH_DEPRECIATION_ASSETS ?? 20_000);
const SAMPLE_MS = 100;
const RUNS = "/depreciation/runs";

type Run = { id: string; status: string; progress: { done: number; total: number } };

/** Drafts of one month, each from the beginning. At the end the last one is posted, and its progress printed. */
export async function depreciationDraft(bench: BenchPlatform): Promise<Prepared> {
  const { platform, userApi, mongoUrl } = bench;
  const connection = await mongoose.createConnection(mongoUrl).asPromise();
  const finance = connection.useDb(platform.services.finance?.env.MONGO_DATABASE ?? "finance");
  const period = await depreciatedAssets(bench, finance, ASSETS);
  const pid = () => platform.services.finance?.pid() ?? 0;
  const memory = { before: residentMiB(pid()), draft: 0, post: 0 };
  let draft: Run | undefined;

  /** Waits until no worker is busy with the run. `seen` gets each sample. */
  async function worked(
    begun: Run,
    phase: "draft" | "post",
    seen = (_: Run): void => undefined,
  ): Promise<Run> {
    let run = begun;
    while (run.status === "computing" || run.status === "posting") {
      await delay(SAMPLE_MS);
      memory[phase] = Math.max(memory[phase], residentMiB(pid()));
      run = await userApi.get<Run>(`${RUNS}/${begun.id}`);
      seen(run);
    }
    return run;
  }

  async function discard(): Promise<void> {
    if (draft === undefined) return;
    await userApi.post(`${RUNS}/${draft.id}/discard`);
    const left = { runId: draft.id };
    while ((await finance.collection("run_lines").findOne(left)) !== null) await delay(SAMPLE_MS);
    draft = undefined;
  }

  async function run(): Promise<Work> {
    const start = performance.now();
    draft = await worked(await userApi.post<Run>(RUNS, period), "draft");
    if (draft.status !== "draft") throw new Error(`the run is ${draft.status}`);
    return { operations: ASSETS, milliseconds: performance.now() - start };
  }

  async function post({ id }: Run): Promise<void> {
    const start = performance.now();
    const samples = new Set<number>();
    const begun = await userApi.post<Run>(`${RUNS}/${id}/post`);
    const ended = await worked(begun, "post", ({ progress: { done, total } }) => {
      samples.add(Math.floor((10 * done) / total) * 10);
    });
    const seconds = ((performance.now() - start) / 1_000).toFixed(1);
    const { done, total } = ended.progress;
    console.log(`depreciation-post: ${ended.status}, ${done} of ${total} lines in ${seconds} s`);
    console.log(`depreciation-post: progress that was seen, in percent: ${[...samples].join(" ")}`);
  }

  return {
    benchmark: {
      name: "depreciation-draft",
      work: `assets of a draft, ${ASSETS} with a line each; baseline: insertMany of the same lines`,
      goal: 0.4,
      ours: {
        prepare: discard,
        run,
        processes: () => ({ client: process.pid, finance: pid() }),
      },
      baseline: bareLines(finance, ASSETS),
    },
    async stop() {
      if (draft !== undefined) await post(draft);
      const { before, draft: drafted, post: posted } = memory;
      console.log(
        `depreciation-draft: resident memory of finance: ${before} MiB before, at most ${drafted} MiB in drafts and ${posted} MiB in posting`,
      );
      await connection.close();
    },
  };
}
