/** The name that a field has in HTTP: `locationIds` is `location_ids`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
