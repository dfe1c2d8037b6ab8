import { z } from "zod";
import { inputConfig } from "../inputs/inputs.ts";
import { address, bytes, duration, isLoopback } from "./units.ts";

const thinning = {
  /** Repeats of an EPC at one antenna within it are one event. "0ms" sends each read. */
  window: duration(),
  /** Reads of other EPCs are not sent. Empty: all are sent. */
  epc_prefixes: z.array(z.string().regex(/^[0-9A-Fa-f]{1,124}$/, "must be hex")).max(1000),
};

const reader = z.strictObject({
  /** Names the reader on this machine: in the path of its HTTP input, on the page and in metrics. */
  name: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, "must have 1 to 64 letters, digits, dots, dashes or underscores"),
  /** The platform's id (rdr_...) or name of the reader. Default: `name`. */
  platform_reader: z.string().min(1).optional(),
  /** Its secret (rdsec_...), if this agent is not enrolled. */
  secret: z.string().startsWith("rdsec_").optional(),
  thinning: z.strictObject(thinning).partial().optional(),
  input: inputConfig,
});

export const configSchema = z
  .strictObject({
    platform: z.strictObject({
      url: z.url({ protocol: /^https?$/ }),
      /** A PEM file with the authority of the platform's certificate, if it is not a public one. */
      ca: z.string().optional(),
      /** Of the site, if the platform is reached only through one. */
      proxy: z.url({ protocol: /^https?$/ }).optional(),
    }),
    /** The folder of the buffer and of the secrets. */
    data: z.string().min(1),
    buffer: z
      .strictObject({
        max_bytes: bytes().prefault("2GiB"),
        when_full: z.enum(["refuse", "drop_oldest"]).default("refuse"),
      })
      .prefault({}),
    thinning: z
      .strictObject({
        window: thinning.window.prefault("1s"),
        epc_prefixes: thinning.epc_prefixes.default([]),
      })
      .prefault({}),
    page: z
      .strictObject({ address: address().prefault("127.0.0.1:8970"), password: z.string().min(8).optional() })
      .prefault({}),
    /** Where readers post their reads. */
    http: z
      .strictObject({
        address: address(),
        tls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
      })
      .optional(),
    /** Where readers publish their reads by MQTT, at a site without a broker. */
    mqtt_broker: z
      .strictObject({
        address: address(),
        tls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
      })
      .optional(),
    readers: z.array(reader).min(1).max(500),
  })
  .superRefine(({ page, http, mqtt_broker, readers }, context) => {
    const report = (path: (string | number)[], message: string): void =>
      context.addIssue({ code: "custom", path, message });
    if (!isLoopback(page.address) && page.password === undefined)
      report(["page", "password"], "is needed, because other machines reach the page");
    for (const [index, { name, platform_reader = name, secret, input }] of readers.entries()) {
      const before = readers.slice(0, index);
      if (before.some((other) => other.name === name))
        report(["readers", index, "name"], `is the name of another reader: ${name}`);
      else if (before.some((other) => (other.platform_reader ?? other.name) === platform_reader))
        report(["readers", index, "platform_reader"], `is sent by another reader: ${platform_reader}`);
      if (secret !== undefined && !platform_reader.startsWith("rdr_"))
        report(
          ["readers", index, "platform_reader"],
          "has to be the id (rdr_...), because a secret is given",
        );
      if (input.type === "http" && http === undefined)
        report(["readers", index, "input"], "needs `http`, the address where readers post their reads");
      if (input.type === "mqtt_broker" && mqtt_broker === undefined)
        report(
          ["readers", index, "input"],
          "needs `mqtt_broker`, the address where readers publish their reads",
        );
    }
  });

export type Config = z.output<typeof configSchema>;
export type ReaderConfig = Config["readers"][number];

export const platformReaderOf = ({ name, platform_reader = name }: ReaderConfig): string => platform_reader;
