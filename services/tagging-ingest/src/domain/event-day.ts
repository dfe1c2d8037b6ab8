const PREFIX = "reader_events_";

/** The name of the collection that holds the events of an instant's UTC day; names sort as days do. */
export function dayCollection(ms: number): string {
  return `${PREFIX}${new Date(ms).toISOString().slice(0, 10).replaceAll("-", "")}`;
}
