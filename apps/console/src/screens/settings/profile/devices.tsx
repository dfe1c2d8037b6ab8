import { Badge, Button, Text } from "@mantine/core";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { deviceName } from "../../../api/device-name.ts";
import { useSession } from "../../../api/use-session.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { Ago } from "../../../parts/ago.tsx";
import { PagedList } from "../../../parts/paged-list.tsx";
import { CardLine, RecordCard } from "../../../parts/record-card.tsx";
import { usePages } from "../../../parts/use-pages.ts";

type Device = Schemas["Device"];

/** Where the user is signed in, this browser first. The API lists the devices of all users to an admin. */
export function Devices() {
  const { t } = useTranslation();
  const [revoked, setRevoked] = useState<Device>();
  const found = usePages("/devices", "settings", (query, signal) =>
    api.GET("/devices", { params: { query: { ...query, expand: ["user"] } }, signal }),
  );
  return (
    <>
      <PagedList found={{ ...found, rows: found.rows.toSorted(byCurrent) }} empty={t("profile.noDevices")}>
        {(device) => (
          <DeviceCard key={device.device_uuid} device={device} onRevoke={() => setRevoked(device)} />
        )}
      </PagedList>
      {revoked && (
        <ActionDialog
          title={t("profile.endTitle", { name: nameOf(t, revoked) })}
          submit={t("profile.end")}
          done={t("profile.endedDone")}
          changes={["/devices"]}
          danger
          onClose={() => setRevoked(undefined)}
          action={() =>
            api.POST("/devices/{uuid}/revoke", { params: { path: { uuid: revoked.device_uuid } } })
          }
        >
          <Text size="sm">{t("profile.endText")}</Text>
        </ActionDialog>
      )}
    </>
  );
}

/** Browsers gave their user agent as label once. */
const USER_AGENT = /^Mozilla\//;

function nameOf(t: TFunction, { label, device_uuid }: Device): string {
  const name = label !== null && USER_AGENT.test(label) ? deviceName(label) : label;
  return name || t("profile.unknownDevice", { id: device_uuid.slice(0, 8) });
}

const byCurrent = (a: Device, b: Device): number => Number(b.current) - Number(a.current);

function DeviceCard({ device, onRevoke }: { device: Device; onRevoke: () => void }) {
  const { t } = useTranslation();
  const { session } = useSession();
  const { current, revoked_at, last_seen_at, user, user_id } = device;
  const name = nameOf(t, device);
  return (
    <RecordCard
      title={name}
      badges={
        (current || revoked_at) && (
          <Badge variant="light" tt="none" color={current ? undefined : "gray"}>
            {t(current ? "profile.thisDevice" : "profile.ended")}
          </Badge>
        )
      }
      actions={
        !current &&
        revoked_at === null && (
          <Button
            size="xs"
            variant="subtle"
            color="red"
            aria-label={`${t("profile.end")}: ${name}`}
            onClick={onRevoke}
          >
            {t("profile.end")}
          </Button>
        )
      }
    >
      {user_id !== session?.user.id && <CardLine>{user?.name ?? user_id}</CardLine>}
      {last_seen_at && (
        <CardLine>
          {t("profile.lastSeen")} <Ago at={last_seen_at} />
        </CardLine>
      )}
    </RecordCard>
  );
}
