import type { Schemas } from "../../api/client.ts";

export type ListedCheckout = Schemas["Checkout"];

/** The name of the asset. */
export const nameOf = ({ asset, asset_id }: ListedCheckout): string => asset?.name ?? asset_id;
