import { limits } from "@asset-register/proto/limits";
import { field } from "@asset-register/rpc";
import { z } from "zod";
import type { Sighting } from "../alerts/sighting.ts";
import { type Facts, isConfirmed, isPresent, type Meaning } from "./meaning.ts";
import { type Names, nameOf } from "./names.ts";
import { isOpen, weekdays } from "./opening-hours.ts";

/** The rules of a type of condition. */
export type ConditionRules<C = never> = {
  /**
   * Of which subject it needs silence, and for how long in ms. `health`: a reader is heard, but not well for so long.
   * `none`: it fires for sightings.
   */
  silence: "none" | { of: "asset" | "reader" | "health"; after(condition: C): number };
  /**
   * The data it needs of the register, besides what its scope needs: nothing, the record of the asset (then it fires only when
   * an asset is read), or its movements and checkouts.
   */
  needs: "nothing" | "asset" | "positions";
  /** Whether it is about assets: a category and an asset can be its scope. */
  isAboutAssets: boolean;
  /** Whether its alerts are resolved without a user. */
  endsByItself: boolean;
  /** The meaning of a sighting in any scope. One that came late means nothing if the type needs no silence. */
  meaning(condition: C, sighting: Sighting, facts: Facts): Meaning | undefined;
  /** The condition as people read it. */
  sentence(condition: C, names: Names): string;
};

/** The fields of a type of condition, with their limits, and its rules. All have to be decided. */
const define = <S extends z.ZodType<{ type: string }>>(schema: S, rules: ConditionRules<z.output<S>>) => ({
  schema,
  ...rules,
});

/** Why a reader is degraded, as tagging-ingest says it. */
const readerReasons = ["blind", "clock_skew", "signatures", "rejected"] as const;

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** `seen` and the liveness of readers are published once a minute, and they take some seconds. */
const PUBLISHED_LATE_MS = 70_000;

const silentHours = ({ hours }: { hours: number }): number => hours * HOUR_MS + PUBLISHED_LATE_MS;

const zone = <T extends string>(type: T) => z.object({ type: z.literal(type), zoneId: field.id() });
const time = () => z.string("is required").regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time HH:MM");

/** Each type of condition. Its key is the name of the case in AlertCondition of the proto. */
export const conditionTypes = {
  seen_in_zone: define(zone("seen_in_zone"), {
    silence: "none",
    needs: "nothing",
    isAboutAssets: true,
    endsByItself: false,
    meaning: ({ zoneId }, sighting) =>
      isConfirmed(sighting) && sighting.zoneId === zoneId ? "fires" : undefined,
    sentence: ({ zoneId }, names) => `seen in zone ${nameOf(zoneId, names)}`,
  }),

  left_zone: define(zone("left_zone"), {
    silence: "none",
    needs: "nothing",
    isAboutAssets: true,
    endsByItself: true,
    meaning({ zoneId }, sighting) {
      // Any read in it, also a single one.
      if (isPresent(sighting) && sighting.zoneId === zoneId) return "ends";
      return sighting.fromZoneId === zoneId ? "fires" : undefined;
    },
    sentence: ({ zoneId }, names) => `left zone ${nameOf(zoneId, names)}`,
  }),

  exit_portal_unauthorised: define(zone("exit_portal_unauthorised"), {
    silence: "none",
    needs: "positions",
    isAboutAssets: true,
    endsByItself: false,
    meaning(condition, { kind, zoneId, fromZoneId }) {
      if (kind !== "arrived" && (kind !== "moved" || fromZoneId === zoneId)) return undefined;
      return zoneId === condition.zoneId ? "fires" : undefined;
    },
    sentence: ({ zoneId }, names) =>
      `in exit zone ${nameOf(zoneId, names)} without a check-out or a movement`,
  }),

  after_hours: define(
    z
      .object({
        type: z.literal("after_hours"),
        openDays: z
          .array(z.enum(weekdays, `must be one of ${weekdays.join(", ")}`))
          .min(1, "must name at least one day")
          .transform((days) => [...new Set(days)]),
        openFrom: time(),
        openTo: time(),
      })
      .refine(({ openFrom, openTo }) => openFrom !== openTo, {
        path: ["openTo"],
        message: "must not be the same as open_from",
      }),
    {
      silence: "none",
      needs: "nothing",
      isAboutAssets: true,
      endsByItself: false,
      meaning: (hours, sighting, { timeZone }) =>
        isConfirmed(sighting) && !isOpen(hours, sighting.at, timeZone) ? "fires" : undefined,
      sentence: ({ openDays, openFrom, openTo }) =>
        `seen outside of ${openDays.join(", ")} ${openFrom} to ${openTo}`,
    },
  ),

  unknown_tag: define(z.object({ type: z.literal("unknown_tag") }), {
    silence: "none",
    needs: "nothing",
    isAboutAssets: false,
    endsByItself: false,
    meaning: (_, { kind }) => (kind === "unknown_tag" ? "fires" : undefined),
    sentence: () => "a tag was read that belongs to no asset",
  }),

  tag_cloned: define(z.object({ type: z.literal("tag_cloned") }), {
    silence: "none",
    needs: "nothing",
    isAboutAssets: true,
    endsByItself: false,
    meaning: (_, { kind }) => (kind === "cloned" ? "fires" : undefined),
    sentence: () => "a tag was read at two properties within less time than the travel takes",
  }),

  status_mismatch: define(
    z.object({
      type: z.literal("status_mismatch"),
      statusIds: z
        .array(field.id())
        .min(1, "must name at least one status")
        .max(limits.ruleStatuses, `must name at most ${limits.ruleStatuses} statuses`)
        .transform((ids) => [...new Set(ids)]),
    }),
    {
      silence: "none",
      needs: "asset",
      isAboutAssets: true,
      endsByItself: false,
      meaning({ statusIds }, sighting, { asset }) {
        const statusId = asset?.statusId;
        return isPresent(sighting) && statusId !== undefined && statusIds.includes(statusId)
          ? "fires"
          : undefined;
      },
      sentence: ({ statusIds }, names) =>
        `seen with status ${statusIds.map((id) => nameOf(id, names)).join(" or ")}`,
    },
  ),

  not_seen_for: define(
    z.object({
      type: z.literal("not_seen_for"),
      hours: z.number().min(0.01, "must be at least 0.01").max(8760, "must be at most 8760"),
    }),
    {
      silence: { of: "asset", after: silentHours },
      needs: "nothing",
      isAboutAssets: true,
      endsByItself: true,
      meaning: ({ hours }, { assetId, at, receivedAt }) =>
        assetId !== undefined && receivedAt.getTime() - at.getTime() < silentHours({ hours })
          ? "ends"
          : undefined,
      sentence: ({ hours }) => `not seen for ${hours} h`,
    },
  ),

  reader_offline: define(
    z.object({ type: z.literal("reader_offline"), minutes: field.integer({ min: 1, max: 10_080 }) }),
    {
      silence: { of: "reader", after: ({ minutes }) => minutes * MINUTE_MS + PUBLISHED_LATE_MS },
      needs: "nothing",
      isAboutAssets: false,
      endsByItself: true,
      meaning: () => undefined,
      sentence: ({ minutes }) => `reader not heard for ${minutes} min`,
    },
  ),

  reader_degraded: define(
    z.object({
      type: z.literal("reader_degraded"),
      minutes: field.integer({ min: 1, max: 1_440 }),
      reasons: z
        .array(z.enum(readerReasons, `must be one of ${readerReasons.join(", ")}`))
        .transform((reasons) => [...new Set(reasons)])
        .default([]),
    }),
    {
      // Without the delay of liveness: the time since when it is degraded is in its event.
      silence: { of: "health", after: ({ minutes }) => minutes * MINUTE_MS },
      needs: "nothing",
      isAboutAssets: false,
      endsByItself: true,
      meaning: () => undefined,
      sentence: ({ minutes, reasons }) =>
        `reader degraded for ${minutes} min${reasons.length > 0 ? ` (${reasons.join(", ")})` : ""}`,
    },
  ),
};
