import { createHash, createHmac, randomBytes, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { CliError } from "./output.ts";

export type SmokeTestOptions = {
  /** The address of the gateway. */
  url: string;
  email: string;
  password: string;
  /** How long the read may take until the asset shows it, and until the feed has it. */
  timeoutMs: number;
  /** Reports a step that succeeded. */
  done: (step: string) => void;
};

const withId = z.object({ id: z.string() });
const signedIn = z.object({ access_token: z.string() });
const newReader = withId.extend({ secret: z.string() });
const accepted = z.object({ results: z.array(z.object({ status: z.string() })) });
const seenAsset = withId.extend({
  name: z.string(),
  last_seen: z.object({ reader_id: z.string(), zone_id: z.string().nullable() }).nullable(),
});
const feedPage = z.object({ data: z.array(z.unknown()) });

const POLL_MS = 500;
const REQUEST_MS = 30_000;

/**
 * Does the main job with the platform, as its users and readers do: it signs in, creates an asset with a tag and a reader,
 * sends a signed read, and waits until the asset and the feed of events show them. In the end it removes what it made.
 * @throws CliError that names the step that failed
 */
export async function smokeTest(options: SmokeTestOptions): Promise<void> {
  const { email, password, done } = options;
  const name = `Smoke test ${new Date().toISOString()}`;
  const anonymous = createApi(options.url);
  const { access_token } = await anonymous("sign in", "POST", "/login", { email, password }, signedIn);
  done("signed in");
  const call = createApi(options.url, { authorization: `Bearer ${access_token}` });
  const made: { what: string; method: string; path: string }[] = [];
  try {
    const asset = await call("create an asset", "POST", "/assets", { name }, withId);
    made.push({ what: "the asset", method: "DELETE", path: `/assets/${asset.id}` });
    const read = () => call("read the asset", "GET", `/assets/${asset.id}`, undefined, seenAsset);
    if ((await read()).name !== name) throw new CliError("read the asset: it has another name");
    done(`created and read the asset ${asset.id}`);

    const epc = `E28F${randomBytes(10).toString("hex")}`.toUpperCase();
    const tag = { epc, asset_id: asset.id, type: "rfid" };
    const { id: tagId } = await call("commission a tag", "POST", "/tags/commission", tag, withId);
    made.push({ what: "the tag", method: "POST", path: `/tags/${tagId}/decommission` });
    const zone = await call("create a zone", "POST", "/zones", { name }, withId);
    made.push({ what: "the zone", method: "DELETE", path: `/zones/${zone.id}` });
    const device = { name, kind: "fixed_portal", zone_id: zone.id };
    const reader = await call("create a reader", "POST", "/readers", device, newReader);
    made.push({ what: "the reader", method: "POST", path: `/readers/${reader.id}/revoke` });
    done(`made a tag, a zone and the reader ${reader.id}`);

    const body = JSON.stringify({ events: [{ epc, ts: new Date().toISOString(), antenna: 1 }] });
    const signed = createApi(options.url, signatureOf(reader, body));
    const { results } = await signed("send a signed read", "POST", "/ingest/events", body, accepted);
    if (results[0]?.status !== "accepted")
      throw new CliError(`send a signed read: it is ${JSON.stringify(results[0])}`);
    done("the signed read was accepted");

    await waitFor("last_seen of the asset", options.timeoutMs, async () => {
      return (await read()).last_seen?.reader_id === reader.id;
    });
    done("the asset shows where it was seen");

    const feed = `/events?asset_id=${asset.id}&types=tag.commissioned`;
    await waitFor("the tag in the feed of events", options.timeoutMs, async () => {
      const { data } = await call("read the feed", "GET", feed, undefined, feedPage);
      return data.length > 0;
    });
    done("the feed of events has the tag");
  } finally {
    for (const { what, method, path } of made.toReversed())
      await call(`remove ${what}`, method, path, undefined, z.unknown()).catch((error: unknown) =>
        console.error(error instanceof Error ? error.message : error),
      );
  }
}

type Headers = Record<string, string>;

function createApi(url: string, credential: Headers = {}) {
  return async <T>(
    step: string,
    method: string,
    path: string,
    body: string | object | undefined,
    answer: z.ZodType<T>,
  ): Promise<T> => {
    const text = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const headers = { ...credential, ...(text !== undefined && { "content-type": "application/json" }) };
    const signal = AbortSignal.timeout(REQUEST_MS);
    const init = { method, headers, signal, ...(text !== undefined && { body: text }) };
    try {
      const response = await fetch(`${url.replace(/\/$/, "")}/asset_manager_api${path}`, init);
      const received = await response.text();
      if (!response.ok) throw new CliError(`${method} ${path} answered ${response.status}: ${received}`);
      return answer.parse(received === "" ? undefined : JSON.parse(received));
    } catch (error) {
      throw new CliError(`${step}: ${error instanceof Error ? explain(error) : error}`);
    }
  };
}

/** fetch has the reason of a failed connection in its cause. */
const explain = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message} (${cause.message})` : message;

/** The headers with which a reader signs a request. */
function signatureOf({ id, secret }: { id: string; secret: string }, body: string): Headers {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = randomUUID();
  const hash = createHash("sha256").update(body).digest("hex");
  const text = `v1\nPOST\n/asset_manager_api/ingest/events\n${id}\n${timestamp}\n${nonce}\n${hash}`;
  return {
    "x-reader-id": id,
    "x-reader-timestamp": timestamp,
    "x-reader-nonce": nonce,
    "x-reader-signature": `v1=${createHmac("sha256", secret).update(text).digest("hex")}`,
  };
}

async function waitFor(what: string, timeoutMs: number, isThere: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + timeoutMs;
  while (!(await isThere())) {
    if (Date.now() > until) throw new CliError(`${what}: missing after ${Math.round(timeoutMs / 1000)} s`);
    await delay(POLL_MS);
  }
}
