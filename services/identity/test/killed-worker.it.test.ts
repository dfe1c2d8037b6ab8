import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { auditEvent } from "@asset-register/audit";
import { eventually } from "@asset-register/harness";
import { record, startNeighbours } from "@asset-register/neighbours";
import { topics } from "@asset-register/proto/topics";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningIdentity, startIdentity } from "./support.ts";

const MANY = 200;
/** For a process that starts, and joins the group of a dead one, on a busy machine. */
const patient = { timeoutMs: 120_000 };

let service: RunningIdentity;
let neighbours: Awaited<ReturnType<typeof startNeighbours>>;

// Only child processes consume.
beforeAll(async () => {
  service = await startIdentity({ ROLES: "api,relay" });
  const { subscription } = record(topics.workspace);
  neighbours = await startNeighbours({ prefix: service.prefix, subscriptions: [subscription] });
});
afterAll(async () => {
  await neighbours.close();
  await service.stop();
});

function startWorker(): ChildProcess {
  return spawn(process.execPath, [path.join(import.meta.dirname, "../src/main.ts")], {
    env: { PATH: process.env.PATH, ...service.env, ROLES: "worker" },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

test("acts done while nobody listens are recorded later, and once each though the listener is killed in the middle", async () => {
  const { as } = await service.seed("killed");
  const { workspaceId } = as.principal;
  const by = { workspaceId, actor: { kind: "user", id: "usr_1" } } as const;
  const tell = (round: string) =>
    neighbours.publish(
      ...Array.from({ length: MANY }, (_, index) => auditEvent(by, new Date(), "zone.created", `${round} ${index}`)),
    );
  const subjects = async () => {
    const rows = service.store.mongo
      .collection<{ _id: string; workspaceId: string; action: string; subject_id: string }>("audit_log")
      .find({ workspaceId, action: "zone.created" });
    return (await rows.toArray()).map(({ subject_id }) => subject_id);
  };
  await tell("before");
  const child = startWorker();
  let successor: ChildProcess | undefined;
  try {
    await eventually(async () => expect((await subjects()).length).toBeGreaterThan(0), patient);
    const more = tell("meanwhile");
    child.kill("SIGKILL");
    await once(child, "exit");
    await more;
    successor = startWorker();
    const all = ["before", "meanwhile"].flatMap((round) =>
      Array.from({ length: MANY }, (_, index) => `${round} ${index}`),
    );
    await eventually(async () => expect((await subjects()).sort()).toEqual(all.sort()), patient);
  } finally {
    child.kill("SIGKILL");
    successor?.kill("SIGKILL");
  }
}, 300_000);
