import { Modal, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { CHANGED, deleteRecord, readRecord } from "../../parts/collections.ts";
import { RecordDialog } from "../../parts/record-dialog.tsx";
import type { Field } from "../../parts/record-values.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { MovePlace } from "./move-place.tsx";
import { collectionOf, type Place, type PlaceType, parentField } from "./place-tree.ts";

/** The action of the user on a place. Without `place`, `create` makes a property. */
export type PlaceAction =
  | { action: "create"; type: PlaceType; place?: Place }
  | { action: "edit" | "delete"; place: Place }
  /** `to` is the id of the place on which it was dropped. */
  | { action: "move"; place: Place; to?: string };

export function PlaceDialog({ chosen, onClose }: { chosen: PlaceAction; onClose: () => void }) {
  if (chosen.action === "create")
    return <CreatePlace type={chosen.type} place={chosen.place} onClose={onClose} />;
  if (chosen.action === "edit") return <EditPlace place={chosen.place} onClose={onClose} />;
  if (chosen.action === "move") return <MovePlace {...chosen} onClose={onClose} />;
  return <DeletePlace place={chosen.place} onClose={onClose} />;
}

function useFields(type: PlaceType): Field[] {
  const { t } = useTranslation();
  const name: Field = { name: "name", label: t("record.name"), required: true, maxLength: 200 };
  const code: Field = { name: "code", label: t("record.code"), maxLength: 50 };
  const level: Field = { name: "level", label: t("places.level"), input: "number", required: true };
  const address: Field = { name: "address", label: t("places.address"), maxLength: 500 };
  if (type === "floor") return [name, level];
  return type === "property" ? [name, code, address] : [name, code];
}

type CreateProps = { type: PlaceType; place: Place | undefined; onClose: () => void };

function CreatePlace({ type, place, onClose }: CreateProps) {
  const { t } = useTranslation();
  const title = t(`places.new.${type}`);
  return (
    <RecordDialog
      title={place === undefined ? title : `${title}: ${place.name}`}
      collection={collectionOf[type]}
      fields={useFields(type)}
      fixed={place === undefined ? {} : { [parentField(place)]: place.id }}
      onClose={onClose}
    />
  );
}

type PlaceProps = { place: Place; onClose: () => void };

/** The tree has neither the address nor the rev of a place, so the record is read first. */
function EditPlace({ place, onClose }: PlaceProps) {
  const { t } = useTranslation();
  const fields = useFields(place.type);
  const collection = collectionOf[place.type];
  const found = useQuery({
    queryKey: ["get", `${collection}/{id}`, place.id],
    queryFn: () => readRecord(collection, place.id),
    // A form must not begin with values of an earlier visit.
    gcTime: 0,
  });
  const title = t("record.edit", { name: place.name });
  if (found.isSuccess)
    return (
      <RecordDialog
        title={title}
        collection={collection}
        fields={fields}
        record={found.data}
        onClose={onClose}
      />
    );
  return (
    <Modal opened onClose={onClose} title={title} classNames={{ title: "wrap" }}>
      {found.isError ? <Failed error={found.error} retry={() => void found.refetch()} /> : <Loading />}
    </Modal>
  );
}

function DeletePlace({ place, onClose }: PlaceProps) {
  const { t } = useTranslation();
  const collection = collectionOf[place.type];
  return (
    <ActionDialog
      title={t("record.deleteTitle", { name: place.name })}
      submit={t("action.delete")}
      done={t("record.deleted", { name: place.name })}
      changes={CHANGED}
      danger
      onClose={onClose}
      action={async () => deleteRecord(collection, await readRecord(collection, place.id))}
    >
      <Text size="sm">{t("places.deleteText")}</Text>
    </ActionDialog>
  );
}
