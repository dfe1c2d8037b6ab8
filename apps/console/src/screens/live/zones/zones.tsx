import { Button, Group, Menu, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { namesOf } from "../../../parts/chosen.ts";
import { EditButton } from "../../../parts/edit-button.tsx";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { PagedList } from "../../../parts/paged-list.tsx";
import { CardLine, RecordCard } from "../../../parts/record-card.tsx";
import { RowMenu } from "../../../parts/row-menu.tsx";
import { usePages } from "../../../parts/use-pages.ts";
import { ZoneForm } from "./zone-form.tsx";

type Zone = Schemas["Zone"];
type Open = { dialog: "create" } | { dialog: "edit" | "delete"; zone: Zone };

/** The areas that readers watch. */
export function Zones() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const found = usePages("/zones", "list", (query, signal) =>
    api.GET("/zones", { params: { query: { ...query, expand: ["location", "reader"] } }, signal }),
  );
  const onClose = () => setOpen(undefined);
  return (
    <>
      <Group justify="flex-end" mb="sm">
        <Button
          leftSection={<IconPlus size={17} aria-hidden />}
          onClick={() => setOpen({ dialog: "create" })}
        >
          {t("zones.new")}
        </Button>
      </Group>
      <PagedList found={found} empty={t("zones.none")}>
        {(zone) => <ZoneCard key={zone.id} zone={zone} onOpen={(dialog) => setOpen({ dialog, zone })} />}
      </PagedList>
      {open?.dialog === "create" && <ZoneForm onClose={onClose} />}
      {open?.dialog === "edit" && <ZoneForm zone={open.zone} onClose={onClose} />}
      {open?.dialog === "delete" && <DeleteZone zone={open.zone} onClose={onClose} />}
    </>
  );
}

type CardProps = { zone: Zone; onOpen: (dialog: "edit" | "delete") => void };

function ZoneCard({ zone, onOpen }: CardProps) {
  const { t } = useTranslation();
  const { name, location_ids, locations, reader_ids, readers } = zone;
  return (
    <RecordCard
      title={name}
      actions={
        <>
          <EditButton name={name} onClick={() => onOpen("edit")} />
          <RowMenu name={name}>
            <Menu.Item color="red" onClick={() => onOpen("delete")}>
              {t("action.delete")}
            </Menu.Item>
          </RowMenu>
        </>
      }
    >
      <CardLine>
        {t("zones.locations")}: {namesOf(location_ids, locations).join(", ") || t("zones.noPlaces")}
      </CardLine>
      <CardLine>
        {t("zones.readers")}: {namesOf(reader_ids, readers).join(", ") || t("zones.noReaders")}
      </CardLine>
    </RecordCard>
  );
}

function DeleteZone({ zone, onClose }: { zone: Zone; onClose: () => void }) {
  const { t } = useTranslation();
  const params = { path: { id: zone.id }, header: ifMatch(zone) };
  return (
    <ActionDialog
      title={t("record.deleteTitle", { name: zone.name })}
      submit={t("action.delete")}
      done={t("record.deleted", { name: zone.name })}
      changes={["/zones", "/readers"]}
      danger
      onClose={onClose}
      action={() => rereadIfChanged("/zones", api.DELETE("/zones/{id}", { params }))}
    >
      <Text size="sm">{t("zones.deleteText")}</Text>
    </ActionDialog>
  );
}
