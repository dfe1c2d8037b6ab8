import { useEffect, useRef } from "react";
import { emptyWedge, pressed, type Wedge } from "./wedge.ts";

const fields = ["INPUT", "TEXTAREA", "SELECT"];

/** Hears a scanner that acts as a keyboard, while no field has the focus and no dialog is open. */
export function useWedge(onCode: (code: string) => void): void {
  const latest = useRef(onCode);
  latest.current = onCode;
  useEffect(() => {
    let typed: Wedge = emptyWedge;
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement;
      if (fields.includes(target.tagName) || target.closest('[role="dialog"]') !== null) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const { code, ...next } = pressed(typed, event.key, event.timeStamp);
      typed = next;
      if (code === undefined) return;
      // Else Enter would press the button that has the focus.
      event.preventDefault();
      latest.current(code);
    };
    document.addEventListener("keydown", onKey, { capture: true });
    return () => document.removeEventListener("keydown", onKey, { capture: true });
  }, []);
}
