/** Who caused a change: stands in histories, rows and events. */
export type Actor = { kind: "user" | "api_key" | "reader" | "service" | "operator"; id: string };
