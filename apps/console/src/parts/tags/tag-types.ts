import type { Schemas } from "../../api/client.ts";

export type TagType = Schemas["Tag"]["type"];

export const tagTypes = ["qr", "barcode", "rfid", "nfc"] as const satisfies TagType[];

/** Whether a code looks like an EPC of 96 bits or more, as readers of RFID tags write it. */
export const isEpc = (code: string): boolean => /^[0-9a-f]{24,}$/i.test(code);
