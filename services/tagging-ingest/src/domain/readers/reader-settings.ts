import { readerDefaults } from "@asset-register/proto/limits";
import type { FieldViolation } from "@asset-register/runtime";
import { type PresenceFields, presenceViolations } from "../presence/presence-settings.ts";
import { filterText, filterViolations, type ReadFilter } from "./read-filters.ts";

/** How soon the same EPC may be read at another property. */
export type Travel = { defaultSeconds: number; pairs: TravelPair[] };

/** Two properties. 0 seconds: the same EPC in both is never a clone. */
export type TravelPair = { propertyIds: string[]; seconds: number };

/** The fields that a caller writes, all at once. */
export type ReaderSettingsFields = {
  presence?: PresenceFields | undefined;
  filters: ReadFilter[];
  /** New unknown tags of each reader in an hour. */
  unknownPerHour: number;
  travel: Travel;
};

/** The settings of a workspace for all its readers. The id is the workspace's. */
export type ReaderSettings = ReaderSettingsFields & {
  id: string;
  workspaceId: string;
  rev: number;
  /** Absent until they are stored. */
  updatedAt?: Date | undefined;
};

/** The settings of a workspace that has stored none. */
export function defaultReaderSettings(workspaceId: string): ReaderSettings {
  return {
    ...{ id: workspaceId, workspaceId, rev: 1, filters: [], unknownPerHour: readerDefaults.unknownPerHour },
    travel: { defaultSeconds: readerDefaults.travelSeconds, pairs: [] },
  };
}

/** The fields that contradict one another, by their paths in HTTP. */
export function readerSettingsViolations({
  presence,
  filters,
  travel,
}: ReaderSettingsFields): FieldViolation[] {
  return [
    ...presenceViolations(presence),
    ...filterViolations(filters),
    ...travel.pairs.flatMap(pairViolations),
  ];
}

function pairViolations({ propertyIds }: TravelPair, at: number, pairs: TravelPair[]): FieldViolation[] {
  const field = `travel.pairs.${at}.property_ids`;
  if (new Set(propertyIds).size !== 2) return [{ field, message: "must name two properties" }];
  const isSame = (other: TravelPair) => pairKey(other) === pairKey({ propertyIds });
  return pairs.findIndex(isSame) < at ? [{ field, message: "must name each two properties once" }] : [];
}

const pairKey = ({ propertyIds }: Pick<TravelPair, "propertyIds">): string =>
  propertyIds.toSorted().join(" ");

/** How soon a tag may be read at another property, in seconds. 0: at any time. */
export type TravelSeconds = (one: string, other: string) => number;

/** The time of each pair of properties: its own, else the default. */
export function travelSeconds({ pairs, defaultSeconds }: Travel): TravelSeconds {
  // Made when it is needed: most reads are of one property.
  let own: Map<string, number> | undefined;
  return (...propertyIds) => {
    own ??= new Map(pairs.map((pair) => [pairKey(pair), pair.seconds]));
    return own.get(pairKey({ propertyIds })) ?? defaultSeconds;
  };
}

/** The settings as texts, for the audit log. */
export function auditedSettings({ presence, filters, unknownPerHour, travel }: ReaderSettingsFields) {
  const inPresence = Object.entries(presence ?? {}).map(([name, value]) => [`presence.${name}`, value]);
  const pairs = travel.pairs.map(({ propertyIds, seconds }) => `${propertyIds.join(":")}=${seconds}`);
  return {
    ...Object.fromEntries(inPresence),
    ...{ filters: filters.map(filterText), unknownPerHour },
    ...{ "travel.defaultSeconds": travel.defaultSeconds, "travel.pairs": pairs },
  };
}
