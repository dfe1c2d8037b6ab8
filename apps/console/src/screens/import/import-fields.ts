/** How the text of a cell becomes what the API takes. A choice and a text are sent as they are. */
export type CellKind = "text" | "reference" | "decimal" | "whole" | "date" | "boolean";

/** The fields of an asset that a column can have, with names that spreadsheets give them, in English and German. */
export const assetFields = {
  name: { kind: "text", names: ["asset", "asset name", "title", "Bezeichnung", "Anlage", "Gerät"] },
  number: {
    kind: "text",
    names: [
      ...["no", "asset number", "asset no", "asset id", "asset tag", "inventory no", "inventory number"],
      ...["Nummer", "Nr", "Anlagennummer", "Anlagennr", "Inventarnummer", "Inventarnr"],
    ],
  },
  serial_number: { kind: "text", names: ["serial", "serial no", "sn", "Seriennummer", "Seriennr"] },
  description: { kind: "text", names: ["details", "Beschreibung", "Langtext"] },
  manufacturer: { kind: "text", names: ["make", "brand", "Hersteller", "Marke"] },
  model: { kind: "text", names: ["model no", "model number", "Modell", "Typ"] },
  category_id: {
    kind: "reference",
    names: ["category", "class", "asset class", "Kategorie", "Anlagenklasse"],
  },
  location_id: { kind: "reference", names: ["location", "place", "room", "Ort", "Standort", "Raum"] },
  custodian_id: {
    kind: "reference",
    names: ["custodian", "person", "user", "owner", "assigned to", "Benutzer", "Inhaber", "Verantwortlich"],
  },
  department_id: { kind: "reference", names: ["department", "team", "Abteilung"] },
  property_id: { kind: "reference", names: ["property", "site", "Liegenschaft"] },
  building_id: { kind: "reference", names: ["building", "Gebäude"] },
  floor_id: { kind: "reference", names: ["floor", "level", "Etage", "Stockwerk"] },
  cost: {
    kind: "decimal",
    names: ["price", "purchase price", "purchase cost", "Preis", "Kosten", "Kaufpreis", "Anschaffungskosten"],
  },
  in_service_date: {
    kind: "date",
    names: [
      "in service since",
      "purchase date",
      "purchased",
      "Kaufdatum",
      "Anschaffungsdatum",
      "In Betrieb seit",
    ],
  },
  useful_life_months: { kind: "whole", names: ["useful life", "Nutzungsdauer", "Nutzungsdauer in Monaten"] },
  salvage_value: { kind: "decimal", names: ["salvage", "residual value", "Restwert"] },
  depreciation_method: { kind: "text", names: ["method", "depreciation", "Abschreibung", "AfA"] },
  supplier: { kind: "text", names: ["vendor", "Lieferant"] },
  purchase_order: { kind: "text", names: ["po", "order", "order number", "Bestellung", "Bestellnummer"] },
  invoice_number: { kind: "text", names: ["invoice", "Rechnung", "Rechnungsnummer"] },
} as const satisfies Record<string, { kind: CellKind; names: readonly string[] }>;

export type AssetField = keyof typeof assetFields;

/** A field that a column can have: its name in the API, its text, and the kind of its cells. */
export type Target = { field: string; label: string; kind: CellKind };

type CustomField = { key: string; label: string; type: string };

const customKinds: Partial<Record<string, CellKind>> = {
  number: "decimal",
  date: "date",
  boolean: "boolean",
};

/** All fields of the workspace. `labelOf` is the text of a field in the language of the page. */
export const targetsOf = (
  customFields: readonly CustomField[],
  labelOf: (field: AssetField) => string,
): Target[] => [
  ...(Object.keys(assetFields) as AssetField[]).map((field) => ({
    ...{ field, label: labelOf(field) },
    kind: assetFields[field].kind,
  })),
  ...customFields.map(({ key, label, type }) => ({
    ...{ field: `custom_fields.${key}`, label },
    kind: customKinds[type] ?? "text",
  })),
];

/** "Inventar-Nr." and "inventar nr" are the same name. */
const plain = (name: string): string =>
  name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** The field of each column by its name; null for a name that says nothing. A field has one column. */
export function guessFields(
  names: readonly string[],
  targets: readonly Target[],
  remembered: Readonly<Record<string, string | null>>,
): (string | null)[] {
  const known = new Map<string, string>();
  for (const { field, label } of targets) {
    const { names: more = [] } = (assetFields as Record<string, { names: readonly string[] }>)[field] ?? {};
    const key = field.replace(/^custom_fields\./, "");
    for (const name of [field, key, label, ...more]) {
      if (!known.has(plain(name))) known.set(plain(name), field);
    }
  }
  const taken = new Set<string>();
  const exists = new Set(targets.map(({ field }) => field));
  return names.map((name) => {
    const before = remembered[name];
    const field = before === undefined ? known.get(plain(name)) : before;
    if (field == null || !exists.has(field) || taken.has(field)) return null;
    taken.add(field);
    return field;
  });
}
