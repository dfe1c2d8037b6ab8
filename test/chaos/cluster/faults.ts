import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster, ClusterMember } from "@asset-register/local";
import { topics } from "@asset-register/proto/topics";
import type { Random } from "../../simulator/random.ts";
import { type Clocks, OFFSET_MS, type ServerClocks } from "./clocks.ts";
import type { Disks } from "./disks.ts";
import { placeFirstPartition } from "./partitions.ts";
import { findPrimary, stepDown } from "./primary.ts";
import { findRedisPrimary, removeRedisData } from "./redis.ts";

/** What a fault may use. The last two are there for the faults that need them. */
export type World = {
  cluster: Cluster;
  clocks: Clocks;
  random: Random;
  serverClocks?: ServerClocks | undefined;
  disks?: Disks | undefined;
};

/** What not every machine has. */
export type Need = "disks" | "server clocks";

export type Fault = {
  name: string;
  needs?: Need;
  /** Makes the fault, waits as long as it lasts, and ends it. Returns what was disturbed. */
  make(world: World): Promise<string>;
};

const KILLED_MS = 10_000;
const FROZEN_MS = 30_000;
const CUT_MS = 30_000;
/** Longer than the minute after which MongoDB writes to its files. */
const FULL_MS = 90_000;

export const FAULTS: Fault[] = [
  ofPrimary("primary of MongoDB killed", killed(KILLED_MS)),
  {
    name: "primary of MongoDB steps down",
    make: async ({ cluster }) => {
      const primary = await findPrimary(cluster);
      await stepDown(cluster, primary);
      return primary;
    },
  },
  ofPrimary("primary of MongoDB frozen for 30 s", frozen(FROZEN_MS)),
  {
    name: "primary of MongoDB cut off from the others for 30 s",
    make: async ({ cluster }) => {
      const primary = await findPrimary(cluster);
      await cutOff(cluster, primary, namesOf(cluster, "mongo"), CUT_MS);
      return primary;
    },
  },
  ofOne("a broker killed", "kafka", killed(KILLED_MS)),
  ofOne("a broker frozen for 30 s", "kafka", frozen(FROZEN_MS)),
  {
    name: "a broker cut off from all for 30 s",
    make: async ({ cluster, random }) => {
      const broker = pick(namesOf(cluster, "kafka"), random);
      await cutOff(cluster, broker, [undefined, ...namesOf(cluster, "kafka")], CUT_MS);
      return broker;
    },
  },
  {
    name: "two of three brokers gone for 30 s",
    make: async ({ cluster, random }) => {
      const remaining = pick(namesOf(cluster, "kafka"), random);
      const gone = namesOf(cluster, "kafka").filter((name) => name !== remaining);
      await allGone(cluster, gone, 30_000);
      return gone.join(", ");
    },
  },
  {
    name: "a partition of reader-event without enough replicas for 10 s",
    make: async ({ cluster }) => {
      const [remaining, gone] = namesOf(cluster, "kafka");
      if (remaining === undefined || gone === undefined) throw new Error("The cluster has one broker.");
      await placeFirstPartition(cluster, topics.readerEvent.name, [1, 2]);
      await allGone(cluster, [gone], 10_000);
      return `${gone}, of two brokers of partition 0`;
    },
  },
  {
    name: "rolling restart of the brokers",
    make: ({ cluster }) => restartInTurn(cluster, namesOf(cluster, "kafka")),
  },
  {
    name: "primary of Redis killed, its replica takes over",
    make: async ({ cluster }) => {
      const primary = await findRedisPrimary(cluster);
      await killed(15_000)(memberOf(cluster, primary));
      return primary;
    },
  },
  {
    name: "both servers of Redis killed, their data gone",
    make: async ({ cluster }) => {
      const names = namesOf(cluster, "redis");
      await Promise.all(names.map((name) => memberOf(cluster, name).kill()));
      for (const name of names) await removeRedisData(memberOf(cluster, name));
      await Promise.all(names.map((name) => memberOf(cluster, name).restart()));
      return names.join(", ");
    },
  },
  ofOne("a process of a service killed", "service", killed(5_000)),
  ofOne("a process of a service frozen for 60 s", "service", frozen(60_000)),
  ofOne("a gateway killed", "gateway", killed(5_000)),
  ofOne("a gateway frozen for 60 s", "gateway", frozen(60_000)),
  {
    name: "all processes of a service gone for a minute",
    make: async ({ cluster, random }) => {
      const service = pick(namesOf(cluster, "service"), random).replace(/-\d+$/, "");
      const all = namesOf(cluster, "service").filter((name) => name.startsWith(`${service}-`));
      await allGone(cluster, all, 60_000);
      return service;
    },
  },
  ofClock("clock of a process 10 minutes ahead for a minute", OFFSET_MS),
  ofClock("clock of a process 10 minutes behind for a minute", -OFFSET_MS),
  {
    name: "clock of the primary of MongoDB 10 minutes ahead for a minute",
    needs: "server clocks",
    make: async ({ cluster, serverClocks }) => {
      const primary = await findPrimary(cluster);
      await serverClocks?.move(primary, OFFSET_MS);
      await sleep(60_000);
      await serverClocks?.move(primary, 0);
      return primary;
    },
  },
  ofDisks("disk of one mongod full for 90 s", ({ cluster, random }) => [
    pick(namesOf(cluster, "mongo"), random),
  ]),
  ofDisks("disks of all mongod full for 90 s", ({ cluster }) => namesOf(cluster, "mongo")),
  ofDisks("disk of a broker full for 90 s", ({ cluster, random }) => [
    pick(namesOf(cluster, "kafka"), random),
  ]),
  {
    name: "rolling restart of every process",
    make: ({ cluster }) =>
      restartInTurn(cluster, [...namesOf(cluster, "service"), ...namesOf(cluster, "gateway")]),
  },
];

type Disturb = (member: ClusterMember) => Promise<void>;

function killed(ms: number): Disturb {
  return async (member) => {
    await member.kill();
    await sleep(ms);
    await member.restart();
  };
}

function frozen(ms: number): Disturb {
  return async (member) => {
    await member.pause();
    await sleep(ms);
    await member.resume();
  };
}

function ofPrimary(name: string, disturb: Disturb): Fault {
  const make = async ({ cluster }: World) => {
    const primary = await findPrimary(cluster);
    await disturb(memberOf(cluster, primary));
    return primary;
  };
  return { name, make };
}

function ofOne(name: string, kind: ClusterMember["kind"], disturb: Disturb): Fault {
  const make = async ({ cluster, random }: World) => {
    const chosen = pick(namesOf(cluster, kind), random);
    await disturb(memberOf(cluster, chosen));
    return chosen;
  };
  return { name, make };
}

function ofClock(name: string, offsetMs: number): Fault {
  const make = async ({ cluster, clocks, random }: World) => {
    const chosen = pick(namesOf(cluster, "service"), random);
    await clocks.move(chosen, offsetMs);
    await sleep(60_000);
    await clocks.move(chosen, 0);
    return chosen;
  };
  return { name, make };
}

function ofDisks(name: string, serversOf: (world: World) => string[]): Fault {
  const make = async (world: World) => {
    const servers = serversOf(world);
    const each = (work: (server: string) => Promise<void> | undefined) => Promise.all(servers.map(work));
    await each((server) => world.disks?.fill(server));
    await sleep(FULL_MS);
    await each((server) => world.disks?.free(server));
    return servers.join(", ");
  };
  return { name, needs: "disks", make };
}

/** Cuts the connections between a member and others, in both directions. Undefined: every caller. */
async function cutOff(
  { network }: Cluster,
  member: string,
  others: readonly (string | undefined)[],
  ms: number,
): Promise<void> {
  const heals = others
    .filter((other) => other !== member)
    .flatMap((other) => [
      network.disturb({ to: member, cut: true, ...(other !== undefined && { from: other }) }),
      ...(other === undefined ? [] : [network.disturb({ from: member, to: other, cut: true })]),
    ]);
  await sleep(ms);
  for (const heal of heals) heal();
}

async function allGone(cluster: Cluster, names: string[], ms: number): Promise<void> {
  await Promise.all(names.map((name) => memberOf(cluster, name).kill()));
  await sleep(ms);
  await Promise.all(names.map((name) => memberOf(cluster, name).restart()));
}

async function restartInTurn(cluster: Cluster, names: string[]): Promise<string> {
  for (const name of names) await memberOf(cluster, name).restart();
  return `${names.length} processes`;
}

function namesOf({ members }: Cluster, kind: ClusterMember["kind"]): string[] {
  return [...members].flatMap(([name, member]) => (member.kind === kind ? [name] : []));
}

function memberOf({ members }: Cluster, name: string): ClusterMember {
  const member = members.get(name);
  if (member === undefined) throw new Error(`The cluster has no ${name}.`);
  return member;
}

function pick<T>(items: readonly T[], random: Random): T {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}
