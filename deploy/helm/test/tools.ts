import { execFile } from "node:child_process";
import { readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { cached } from "@asset-register/local";

const run = promisify(execFile);

const HELM = "v3.22.0";
/** The programs of Debian's package prometheus that are kept. */
const PROGRAMS = ["promtool", "prometheus"] as const;

/** helm of PATH, else built once a machine. Undefined if it can't be had; the reason is printed. */
export async function findHelm(): Promise<string | undefined> {
  if (await works("helm", ["version"])) return "helm";
  return reported("the chart is not rendered", async () => {
    const directory = await cached(process.env, `helm-${HELM}`, async (target) => {
      console.log("helm: building it (about three minutes, only once a machine)");
      const env = { ...process.env, GOBIN: target, GOFLAGS: "-trimpath -ldflags=-s -ldflags=-w" };
      await run("go", ["install", `helm.sh/helm/v3/cmd/helm@${HELM}`], { env });
    });
    return path.join(directory, "helm");
  });
}

/** promtool of PATH, else of Debian's package. Undefined if it can't be had; the reason is printed. */
export const findPromtool = (): Promise<string | undefined> =>
  findOfPrometheus("promtool", "rules are not checked by promtool");

/** The server of Prometheus, in the same way. */
export const findPrometheus = (): Promise<string | undefined> =>
  findOfPrometheus("prometheus", "alerts are not tried");

async function findOfPrometheus(
  program: (typeof PROGRAMS)[number],
  skipped: string,
): Promise<string | undefined> {
  if (await works(program, ["--version"])) return program;
  return reported(skipped, async () => {
    const directory = await cached(process.env, "prometheus-debian", async (target) => {
      const download = () => run("apt-get", ["download", "prometheus"], { cwd: target });
      // A machine without package lists needs an update, which only root may do.
      await download().catch(async () => {
        await run("apt-get", ["update"]);
        await download();
      });
      const [archive = ""] = await readdir(target);
      await run("dpkg-deb", ["-x", archive, "."], { cwd: target });
      for (const name of PROGRAMS) await rename(path.join(target, "usr/bin", name), path.join(target, name));
      for (const part of [archive, "usr", "etc", "lib", "var"])
        await rm(path.join(target, part), { recursive: true, force: true });
    });
    return path.join(directory, program);
  });
}

async function works(command: string, args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}

async function reported(skipped: string, find: () => Promise<string>): Promise<string | undefined> {
  try {
    return await find();
  } catch (error) {
    console.log(`helm: ${skipped}: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}
