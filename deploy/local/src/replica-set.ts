import { LocalError } from "./errors.ts";
import { mongoMember, replicaSet, withAdmin } from "./mongo.ts";
import { type NativeServer, startNative } from "./native.ts";
import { assignPort } from "./ports.ts";
import type { ChangeLaunch, Environment, Progress } from "./types.ts";
import { waitFor } from "./wait.ts";

export type ReplicaSetOptions = {
  /** The folder for the data and logs of all members. */
  dataDirectory: string;
  members: number;
  /** Puts something in front of a member, which then has this port for the others and for clients. Default: nothing. */
  expose?: (member: string, port: number) => Promise<number>;
  /** How long the others wait for a silent primary. Default: that of MongoDB. */
  electionTimeoutMs?: number;
  /** Default: each member is started as it is. */
  changeLaunch?: ChangeLaunch | undefined;
  /** Is called each time a member exits without a call of `stop` or `kill`. */
  onExit?: (member: string, fault: LocalError) => void;
  progress: Progress;
  /** Default: the environment of this process. */
  env?: Environment;
};

export type Member = NativeServer & { host: string };

export type ReplicaSet = {
  /** Names every member. */
  url: string;
  members: Member[];
  stop(): Promise<void>;
};

/**
 * Starts a replica set as processes of this machine, with small caches, also with a Docker engine: in containers they could
 * not reach each other at their published ports. Returns when it has a primary.
 * @throws LocalError if one of them does not get ready
 */
export async function startReplicaSet(options: ReplicaSetOptions): Promise<ReplicaSet> {
  const names = Array.from({ length: options.members }, (_, at) => `mongo-${at + 1}`);
  const results = await Promise.allSettled(names.map((name) => startMember(name, options)));
  const members = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
  const stop = async () => void (await Promise.all(members.map((member) => member.stop())));
  try {
    for (const result of results) if (result.status === "rejected") throw result.reason;
    const url = `mongodb://${members.map(({ host }) => host).join(",")}/?replicaSet=${replicaSet}`;
    await waitFor({
      what: "mongo: waiting for the primary",
      attempt: () => requirePrimary(members, url, options.electionTimeoutMs),
      timeoutMs: 120_000,
      progress: options.progress,
      timedOut: (cause) =>
        new LocalError(
          "The replica set had no primary within 2 minutes.",
          `The machine may be overloaded: try again. The logs are in ${options.dataDirectory}.`,
          { cause },
        ),
    });
    return { url, members, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startMember(name: string, options: ReplicaSetOptions): Promise<Member> {
  const { dataDirectory, progress, env = process.env } = options;
  const port = await assignPort(dataDirectory, name);
  const host = `127.0.0.1:${(await options.expose?.(name, port)) ?? port}`;
  const server = await startNative(mongoMember, {
    ...{ name, dataDirectory, port, env, progress, changeLaunch: options.changeLaunch },
    onExit: (fault) => options.onExit?.(name, fault),
  });
  return { ...server, host };
}

/** Initiates a new set, or gives an earlier one the members' present addresses. */
async function requirePrimary(members: Member[], url: string, electionTimeoutMs = 10_000): Promise<void> {
  const wanted = members.map(({ host }, _id) => ({ _id, host }));
  const [first] = members;
  const state = await withAdmin(first?.url ?? "", {}, async (admin) => {
    const found = await admin.command({ replSetGetConfig: 1 }).catch(() => undefined);
    if (found === undefined) {
      const settings = { electionTimeoutMillis: electionTimeoutMs };
      return admin.command({ replSetInitiate: { _id: replicaSet, members: wanted, settings } });
    }
    const { members: before, version } = found.config;
    const same = wanted.every(({ host }, at) => before[at]?.host === host);
    if (same) return undefined;
    const moved = wanted.map((member, at) => ({ ...before[at], ...member }));
    const config = { ...found.config, version: version + 1, members: moved };
    return admin.command({ replSetReconfig: config, force: true });
  });
  if (state !== undefined) throw new Error("The set has been configured just now.");
  await withAdmin(url, {}, (admin) => admin.command({ ping: 1 }));
}
