import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Schemas } from "../../../api/client.ts";
import { Ago } from "../../../parts/ago.tsx";
import { CardLine, RecordCard } from "../../../parts/record-card.tsx";

type Entry = Schemas["AuditEntry"];

const MAX_CHANGES = 12;

/** An entry of the audit log: actor, action, record and address. */
export function AuditCard({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const { actor, action, subject, subject_id, changes, client_address, at } = entry;
  const more = changes.length - MAX_CHANGES;
  return (
    <RecordCard title={action}>
      <CardLine>
        {actor.name ?? `${t(`actor.${actor.kind}`)} ${actor.id}`} · {at && <Ago at={at} />}
        {client_address && ` · ${client_address}`}
      </CardLine>
      {subject_id && <CardLine>{subject?.name ? `${subject.name} (${subject_id})` : subject_id}</CardLine>}
      {changes.slice(0, MAX_CHANGES).map((change) => (
        <Change key={change.field} change={change} />
      ))}
      {more > 0 && <CardLine>{t("audit.moreChanges", { count: more })}</CardLine>}
    </RecordCard>
  );
}

function Change({ change }: { change: Entry["changes"][number] }) {
  const { field, before, after, before_record, after_record } = change;
  return (
    <Text size="sm" className="wrap" lineClamp={3}>
      <Text span c="dimmed" size="sm">
        {field.replaceAll("_", " ")}:
      </Text>{" "}
      {before_record?.name ?? before ?? "–"} → {after_record?.name ?? after ?? "–"}
    </Text>
  );
}
