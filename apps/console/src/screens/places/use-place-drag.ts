import { type DragEvent, useState } from "react";
import { targetsFor } from "./place-move.ts";
import type { Place } from "./place-tree.ts";

/** The properties that make the row of a place draggable, and a target of drops. */
export type PlaceDrag = (place: Place) => object;

type Dragged = { place: Place; targets: ReadonlySet<string> };

/**
 * Drags places with a mouse. A drop asks before it moves anything; keyboards and fingers have the same dialog in the menu
 * of a place.
 */
export function usePlaceDrag(
  all: readonly Place[],
  enabled: boolean,
  onDrop: (place: Place, to: string) => void,
): PlaceDrag {
  const [dragged, setDragged] = useState<Dragged>();
  const [over, setOver] = useState<string>();
  const end = (): void => {
    setDragged(undefined);
    setOver(undefined);
  };
  return (place) => {
    if (!enabled) return {};
    const isTarget = dragged?.targets.has(place.id);
    return {
      draggable: place.type !== "property",
      onDragStart(event: DragEvent) {
        event.dataTransfer.effectAllowed = "move";
        event.dataTransfer.setData("text/plain", place.name);
        setDragged({ place, targets: new Set(targetsFor(place, all).map(({ id }) => id)) });
      },
      onDragEnd: end,
      "data-dragged": dragged?.place.id === place.id || undefined,
      ...(isTarget && {
        "data-over": over === place.id || undefined,
        onDragOver(event: DragEvent) {
          event.preventDefault();
          setOver(place.id);
        },
        onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
          if (!currentTarget.contains(relatedTarget as Node | null)) setOver(undefined);
        },
        onDrop(event: DragEvent) {
          event.preventDefault();
          if (dragged) onDrop(dragged.place, place.id);
          end();
        },
      }),
    };
  };
}
