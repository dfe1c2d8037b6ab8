import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../api/client.ts";
import { subjectOf, unknownTagOf } from "./alert-subject.ts";
import { shortEpc } from "./short-epc.ts";

const look = { size: "sm", fw: 550, className: "cut", display: "block" } as const;

/** The subject of an alert. It leads to the asset, or to the page that binds an unknown tag. */
export function SubjectLink({ alert }: { alert: Schemas["Alert"] }) {
  const { t } = useTranslation();
  const name = subjectOf(t, alert);
  const epc = unknownTagOf(alert);
  if (alert.asset_id !== null) return <AssetLink id={alert.asset_id} name={name} />;
  if (epc !== undefined) return <UnknownTagLink epc={epc} />;
  return (
    <Text {...look} title={name}>
      {name}
    </Text>
  );
}

export const AssetLink = ({ id, name }: { id: string; name: string }) => (
  <Anchor {...look} title={name} renderRoot={(props) => <Link {...props} to="/assets/$id" params={{ id }} />}>
    {name}
  </Anchor>
);

/** A tag that is bound to no asset. The page of the scanner offers to bind it. */
export function UnknownTagLink({ epc }: { epc: string }) {
  const { t } = useTranslation();
  return (
    <Anchor
      {...look}
      title={t("alerts.unknownTag", { epc })}
      renderRoot={(props) => <Link {...props} to="/scan" search={{ code: epc }} />}
    >
      {t("alerts.unknownTag", { epc: shortEpc(epc) })}
    </Anchor>
  );
}
