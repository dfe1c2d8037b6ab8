import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { certificates } from "@asset-register/harness";
import { expect, onTestFinished, test, vi } from "vitest";
import { createCertificateWatch, type Tls } from "./certificates.ts";
import { createLogger } from "./logger.ts";
import { createMetrics } from "./metrics.ts";

const { own, foreign, expiredAuthority } = certificates;
const END = Date.parse("2120-01-01T00:00:00Z") / 1000;
const logger = createLogger({ service: "test", level: "silent" });

/** Files of a Secret, which `write` replaces. */
function files(content: Required<Tls>) {
  const folder = mkdtempSync(path.join(tmpdir(), "certificates-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const source = { ca: `${folder}/ca.crt`, cert: `${folder}/tls.crt`, key: `${folder}/tls.key` };
  const write = (changed: Tls): void => {
    for (const part of ["ca", "cert", "key"] as const)
      if (changed[part] !== undefined) writeFileSync(source[part], changed[part]);
  };
  write(content);
  return { source, write };
}

function watched(content: Required<Tls>) {
  const metrics = createMetrics({ service: "test" });
  const watch = createCertificateWatch({ logger, metrics });
  const { source, write } = files(content);
  const changes: Tls[] = [];
  const grpc = watch.add("grpc", source);
  grpc.onChange((tls) => changes.push(tls));
  return { watch, grpc, write, changes, metrics };
}

test("changed files are in use after a check, and listeners hear of them once", () => {
  const { watch, grpc, write, changes } = watched(own);
  watch.check();
  expect(changes).toEqual([]);
  const before = grpc.context.context;
  write(foreign);
  expect(grpc.current()).toEqual(own);
  watch.check();
  watch.check();
  expect(grpc.current()).toEqual(foreign);
  expect(grpc.context.context).not.toBe(before);
  expect(changes).toEqual([foreign]);
});

test("start reads the files again and again, until stop", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { watch, grpc, write } = watched(own);
  watch.start();
  write(foreign);
  vi.advanceTimersByTime(10_000);
  expect(grpc.current()).toEqual(foreign);
  watch.stop();
  write(own);
  vi.advanceTimersByTime(60_000);
  expect(grpc.current()).toEqual(foreign);
});

test.each<[string, Tls]>([
  ["a certificate without its key", { cert: foreign.cert }],
  ["an empty file", { cert: "" }],
  ["half of a certificate", { cert: foreign.cert.slice(0, 200) }],
  ["an authority that is no certificate", { ca: own.key }],
])("%s is refused, and the certificates before stay in use until the files are complete", (_name, broken) => {
  const { watch, grpc, write, changes } = watched(own);
  write(broken);
  watch.check();
  expect(grpc.current()).toEqual(own);
  write(foreign);
  watch.check();
  expect(changes).toEqual([foreign]);
});

test("at the start, a missing file and a key of another certificate are errors", () => {
  const watch = createCertificateWatch({ logger });
  expect(() => watch.add("grpc", { ca: "/does/not/exist.pem" })).toThrow(/ENOENT/);
  expect(() => watch.add("grpc", { cert: own.cert, key: foreign.key })).toThrow(/mismatch/);
  expect(() => watch.add("grpc", { ca: "no certificate" })).toThrow(/no certificate/);
});

test("the metric has the end of the certificate and of the last authority, and follows the files", async () => {
  const { watch, write, metrics } = watched({ ...own, ca: expiredAuthority });
  const ends = async () => {
    const metric = metrics.registry.getSingleMetric("tls_certificate_not_after_timestamp_seconds");
    const { values = [] } = (await metric?.get()) ?? {};
    return Object.fromEntries(values.map(({ labels, value }) => [`${labels.name} ${labels.kind}`, value]));
  };
  const ended = Date.parse("2021-01-01T00:00:00Z") / 1000;
  expect(await ends()).toEqual({ "grpc certificate": END, "grpc authority": ended });
  write({ ca: `${expiredAuthority}\n${own.ca}` });
  watch.check();
  expect(await ends()).toEqual({ "grpc certificate": END, "grpc authority": END });
  write({ cert: `${own.cert}\n${expiredAuthority}` });
  watch.check();
  expect(await ends()).toEqual({ "grpc certificate": ended, "grpc authority": END });
});
