/** Converts a field name to its name in HTTP: `locationIds` becomes `location_ids`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
