import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { cached, findFreePort } from "@asset-register/local";
import { eventually } from "./eventually.ts";

const run = promisify(execFile);
const VERSION = "v1.8.0";
const MODULE = `github.com/versity/versitygw/cmd/versitygw@${VERSION}`;
const BUCKET = "blobs";
const credentials = { accessKeyId: "test", secretAccessKey: "testsecret" };

/**
 * The path of versitygw, a real S3 server, which is built once per machine. Undefined if there is no Go or the module
 * can't be downloaded; the reason is printed.
 */
export async function findVersitygw(): Promise<string | undefined> {
  try {
    const directory = await cached(process.env, `versitygw-${VERSION}`, async (target) => {
      console.log("blobs: building versitygw (about two minutes, only once)");
      await run("go", ["install", MODULE], { env: { ...process.env, GOBIN: target } });
    });
    return path.join(directory, "versitygw");
  } catch (error) {
    console.log(`blobs: the tests with S3 are skipped: ${error instanceof Error ? error.message : error}`);
    return undefined;
  }
}

export type TestS3 = {
  endpoint: string;
  bucket: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  stop(): Promise<void>;
};

/** Starts versitygw over a temporary folder, with an empty bucket. */
export async function startS3(program: string): Promise<TestS3> {
  const directory = await mkdtemp(path.join(tmpdir(), "versitygw-"));
  const [data, sidecar] = [path.join(directory, "data"), path.join(directory, "metadata")];
  await mkdir(path.join(data, BUCKET), { recursive: true });
  await mkdir(sidecar);
  const port = await findFreePort();
  const { accessKeyId, secretAccessKey } = credentials;
  const server = ["--access", accessKeyId, "--secret", secretAccessKey, "--port", `127.0.0.1:${port}`];
  // Metadata in files of its own: not every file system has extended attributes.
  const args = [...server, "--quiet", "posix", "--sidecar", sidecar, data];
  const child = spawn(program, args, { stdio: "ignore" });
  const exited = once(child, "exit");
  const endpoint = `http://127.0.0.1:${port}`;
  await eventually(() => fetch(endpoint), { everyMs: 100 });
  return {
    endpoint,
    bucket: BUCKET,
    credentials,
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
