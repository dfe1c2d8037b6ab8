import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { cached } from "@asset-register/local";

const run = promisify(execFile);

/**
 * The folder that has these files of a package of Debian, downloaded and unpacked once a machine, without root.
 * @throws Error if the package can't be had
 */
export function unpackDebianPackage(name: string, files: readonly string[]): Promise<string> {
  return cached(process.env, `${name}-debian`, async (target) => {
    const directory = await mkdtemp(path.join(target, "package-"));
    const download = () => run("apt-get", ["download", name], { cwd: directory });
    // A machine without package lists needs an update, which only root may do.
    await download().catch(async () => {
      await run("apt-get", ["update"]);
      await download();
    });
    const [archive = ""] = await readdir(directory);
    await run("dpkg-deb", ["-x", archive, "."], { cwd: directory });
    for (const file of files) await cp(path.join(directory, file), path.join(target, path.basename(file)));
    await rm(directory, { recursive: true });
  });
}
