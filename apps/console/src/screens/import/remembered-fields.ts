const STORED = "asset-register.import-fields";
const MOST = 300;

type Fields = Record<string, string | null>;

/** The fields that columns got at the last import, by the names of the columns. They are no more than a guess. */
export function rememberedFields(): Fields {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED) ?? "{}");
    return typeof stored === "object" && stored !== null ? (stored as Fields) : {};
  } catch {
    return {};
  }
}

export function rememberFields(fields: Fields): void {
  const all = Object.entries({ ...rememberedFields(), ...fields });
  try {
    localStorage.setItem(STORED, JSON.stringify(Object.fromEntries(all.slice(-MOST))));
  } catch {
    // Storage may be full or switched off. The import has started already, and must not look as if it had not.
  }
}
