import { randomBytes } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import { newId } from "@asset-register/runtime";
import { Pool } from "undici";
import type { Prepared, Side } from "./benchmark.ts";
import { addGeneratedAssets } from "./generated-register.ts";
import type { BenchPlatform } from "./platform.ts";
import { accessToken } from "./platform.ts";

const ASSETS = 10_000;
const IN_FLIGHT = 2;
const PLAIN = "/asset_manager_api/assets?per_page=50&sort=-id";
const EXPANDED = `${PLAIN}&expand=location,custodian,category,status,user,thumbnail`;

/** A page of 50 assets with their photos and the names of all that they refer to, as a page of the console shows it. */
export async function listExpanded(bench: BenchPlatform): Promise<Prepared> {
  await addGeneratedAssets(bench, ASSETS);
  const authorization = `Bearer ${await accessToken(bench.demo)}`;
  await addPhotos(bench, authorization);
  const processes = () => ({
    client: process.pid,
    gateway: bench.platform.gateway.pid(),
    register: bench.platform.services.register?.pid() ?? 0,
    identity: bench.platform.services.identity?.pid() ?? 0,
    ...bench.serverPids,
  });
  const reading = (path: string): Side => ({
    processes,
    run: (milliseconds) => readFor(milliseconds, { origin: bench.demo.base_url, path, authorization }),
  });
  return {
    benchmark: {
      name: "list-expanded",
      work: `GET ${EXPANDED} of ${ASSETS} assets, ${IN_FLIGHT} in flight; baseline: the same without expand`,
      ours: reading(EXPANDED),
      baseline: reading(PLAIN),
    },
    stop: () => Promise.resolve(),
  };
}

/** Gives each asset of the page a photo. */
async function addPhotos({ userApi, demo }: BenchPlatform, authorization: string): Promise<void> {
  const path = PLAIN.slice("/asset_manager_api".length);
  const { data } = await userApi.get<{ data: { id: string }[] }>(path);
  for (const { id } of data) {
    const body = new FormData();
    body.append("file", new File([photo()], "photo.png"));
    const url = `${demo.base_url}/asset_manager_api/assets/${id}/image`;
    const answer = await fetch(url, { method: "POST", headers: { authorization }, body });
    if (!answer.ok) throw new Error(`${url} returned ${answer.status}: ${await answer.text()}`);
  }
}

const SIZE = 640;

/** A PNG of 640 x 640 pixels with some noise: its thumbnail has nearly the 4 KiB that are allowed. */
function photo(): Buffer<ArrayBuffer> {
  const noise = randomBytes(64 * 64);
  // Each line begins with its filter, 0.
  const lines = Array.from({ length: SIZE }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: SIZE }, (_, x) => shade(noise, x, y))]),
  );
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // 8 bits a pixel, grey.
  header.writeUInt8(8, 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const content = deflateSync(Buffer.concat(lines));
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", content), chunk("IEND")]);
}

const shade = (noise: Buffer, x: number, y: number): number =>
  Math.floor((x + y) / 8) + (noise[Math.floor(y / 10) * 64 + Math.floor(x / 10)] ?? 0) / 4;

function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

type Reading = { origin: string; path: string; authorization: string };

/** Reads the page again and again. Each request has its own X-Request-Id, so that no two are alike. */
async function readFor(milliseconds: number, { origin, path, authorization }: Reading) {
  const pool = new Pool(origin, { connections: IN_FLIGHT, pipelining: 1 });
  const latencies: number[] = [];
  const started = performance.now();
  const until = started + milliseconds;
  const readUntilEnd = async (): Promise<void> => {
    while (performance.now() < until) {
      const sent = performance.now();
      const headers = { authorization, "x-request-id": newId("ben") };
      const { statusCode, body } = await pool.request({ method: "GET", path, headers });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${path} returned ${statusCode}: ${text}`);
      latencies.push(performance.now() - sent);
    }
  };
  try {
    await Promise.all(Array.from({ length: IN_FLIGHT }, readUntilEnd));
    const taken = performance.now() - started;
    const sorted = latencies.toSorted((one, other) => one - other);
    const quantile = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
    return {
      ...{ operations: latencies.length, milliseconds: taken },
      ...{ p50: quantile(0.5), p95: quantile(0.95) },
    };
  } finally {
    await pool.close();
  }
}
