import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { promisify } from "node:util";
import type { ChangeLaunch } from "@asset-register/local";

const run = promisify(execFile);

/** Disks of a fixed size. Each is a tmpfs that only the processes of one server see, and ends with this process. */
export type Disks = {
  /** Puts the data of a server on a disk of its own. */
  changeLaunch: ChangeLaunch;
  /** Writes until nothing more fits. */
  fill(server: string): Promise<void>;
  /** Removes what `fill` has written. */
  free(server: string): Promise<void>;
  stop(): void;
};

type Disk = { holder: ChildProcess; directory: string };

/** Enough for the load of hours: the log of operations of MongoDB has at most 512 MiB. */
const SIZES = { mongo: "1536m", kafka: "768m" };
const FILLER = "filler";

/** The reason why this machine can't make such disks, or undefined. */
export const whyNoDisks = (): Promise<string | undefined> =>
  run("unshare", ["-Urm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).then(
    () => undefined,
    (error: unknown) => `a tmpfs in a namespace of its own can't be mounted: ${String(error)}`,
  );

export function createDisks(): Disks {
  const disks = new Map<string, Disk>();
  const diskOf = (server: string): Disk => {
    const disk = disks.get(server);
    if (disk === undefined) throw new Error(`${server} has no disk of its own.`);
    return disk;
  };
  return {
    async changeLaunch(server, { command, args, env }, directory) {
      const size = server.startsWith("mongo") ? SIZES.mongo : SIZES.kafka;
      const holder = await holdDisk(directory, size);
      disks.set(server, { holder, directory });
      return { command: "nsenter", args: [...inside(holder), command, ...args], env };
    },
    async fill(server) {
      const { holder, directory } = diskOf(server);
      const file = path.join(directory, FILLER);
      // The smaller blocks fill what is left. Both end because the disk is full.
      for (const block of ["1M", "4k"])
        await run("nsenter", [
          ...inside(holder),
          "sh",
          "-c",
          `dd if=/dev/zero bs=${block} >> "$0"`,
          file,
        ]).catch(() => undefined);
    },
    async free(server) {
      const { holder, directory } = diskOf(server);
      await run("nsenter", [...inside(holder), "rm", "-f", path.join(directory, FILLER)]);
    },
    stop() {
      for (const { holder } of disks.values()) holder.kill();
    },
  };
}

const inside = ({ pid }: ChildProcess): string[] => [
  ...["--target", `${pid}`, "--user", "--mount", "--preserve-credentials"],
  "--",
];

/** Mounts a disk over a folder, with what the folder has, in a namespace that lasts as long as the process. */
async function holdDisk(directory: string, size: string): Promise<ChildProcess> {
  const script = `
    mkdir "$0.disk" && mount -t tmpfs -o size=${size} tmpfs "$0.disk" && cp -a "$0/." "$0.disk/" &&
    mount --bind "$0.disk" "$0" && echo ready && exec cat`;
  const holder = spawn("unshare", ["-Urm", "sh", "-c", script, directory], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  // It ends when its input ends: when this process ends.
  const exited = once(holder, "exit").then(() => {
    throw new Error(`The disk for ${directory} can't be mounted.`);
  });
  await Promise.race([once(holder.stdout, "data"), exited]);
  exited.catch(() => undefined);
  return holder;
}
