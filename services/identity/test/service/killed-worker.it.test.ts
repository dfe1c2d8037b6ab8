import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { auditEvent } from "@asset-register/audit";
import { eventually } from "@asset-register/harness";
import { afterAll, expect, test } from "vitest";
import { startIdentity } from "../support.ts";

const MANY = 200;
/** A process has to start and to join the group of a dead one, on a busy machine. */
const patient = { timeoutMs: 120_000 };

// Only child processes consume.
const service = await startIdentity({ ROLES: "api,relay" });
const bus = await service.openTopics();
afterAll(async () => {
  await bus.close();
  await service.stop();
});

function startWorker(): ChildProcess {
  return spawn(process.execPath, [path.join(import.meta.dirname, "../../src/main.ts")], {
    env: { PATH: process.env.PATH, ...service.env, ROLES: "worker" },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

test("audit entries that are sent without a worker are stored later, and once each although a worker is killed", async () => {
  const { as } = await service.seed("killed");
  const { workspaceId } = as.principal;
  const by = { workspaceId, actor: { kind: "user", id: "usr_1" } } as const;
  const send = (round: string) =>
    bus.publish(
      ...Array.from({ length: MANY }, (_, index) =>
        auditEvent(by, new Date(), "zone.created", `${round} ${index}`),
      ),
    );
  const subjects = async () => {
    const rows = service.mongo
      .collection<{ _id: string; workspaceId: string; action: string; subjectId: string }>("audit_log")
      .find({ workspaceId, action: "zone.created" });
    return (await rows.toArray()).map(({ subjectId }) => subjectId);
  };
  await send("before");
  const child = startWorker();
  let successor: ChildProcess | undefined;
  try {
    await eventually(async () => expect((await subjects()).length).toBeGreaterThan(0), patient);
    const more = send("meanwhile");
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
