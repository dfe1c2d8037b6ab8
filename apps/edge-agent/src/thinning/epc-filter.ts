/** Says whether an EPC begins with one of the prefixes. Without prefixes every EPC does. */
export function createEpcFilter(prefixes: readonly string[]): (epc: string) => boolean {
  const upper = prefixes.map((prefix) => prefix.toUpperCase());
  return (epc) => upper.length === 0 || upper.some((prefix) => epc.startsWith(prefix));
}
