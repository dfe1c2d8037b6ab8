export const views = ["out", "overdue", "soon", "returned"] as const;
export type View = (typeof views)[number];

/** Which check-outs are shown. It is part of the address. Without a view it is what is out now. */
export type CheckoutSearch = { view?: View };

export function parseCheckoutSearch({ view }: Record<string, unknown>): CheckoutSearch {
  const known = views.find((one) => one === view);
  return known === undefined ? {} : { view: known };
}

/** A checkout that is due within these days is due soon. */
const SOON_DAYS = 7;

/** The filter of GET /checkouts for a view. What is due comes first, the newest of the rest. */
export const viewQuery = {
  out: { status: "open", sort: "-id" },
  overdue: { overdue: true, sort: "id" },
  soon: { due_within_days: SOON_DAYS, overdue: false, sort: "id" },
  returned: { status: "returned", sort: "-id" },
} as const satisfies Record<View, object>;
