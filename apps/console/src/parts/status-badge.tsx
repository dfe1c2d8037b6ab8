import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../api/client.ts";

type StatusProps = { status: Pick<Schemas["Status"], "name" | "class"> | undefined };

const colours: Record<Schemas["Status"]["class"], string> = {
  deployable: "teal",
  pending: "yellow",
  undeployable: "orange",
  archived: "gray",
};

type Checkout = Pick<Schemas["Checkout"], "overdue"> | null;

/** Whether an asset is out; else its status. */
export function AssetBadge({ status, checkout }: StatusProps & { checkout: Checkout }) {
  const { t } = useTranslation();
  if (checkout === null) return <StatusBadge status={status} />;
  return (
    <Badge
      variant="light"
      color={checkout.overdue ? "red" : "blue"}
      c="var(--mantine-color-text)"
      tt="none"
      fw={550}
    >
      {t(checkout.overdue ? "asset.overdue" : "asset.out")}
    </Badge>
  );
}

/** The status of an asset. Its colour is that of the class; the name says it too. */
export function StatusBadge({ status }: StatusProps) {
  if (status === undefined) return null;
  return (
    <Badge
      variant="light"
      color={colours[status.class]}
      // The light colours of text have too little contrast.
      c="var(--mantine-color-text)"
      tt="none"
      fw={550}
      maw={180}
    >
      {status.name}
    </Badge>
  );
}
