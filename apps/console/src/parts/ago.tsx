import { Tooltip } from "@mantine/core";
import { useFormat } from "./workspace.ts";

/** How long ago something was; the exact time when pointed at. */
export function Ago({ at }: { at: string }) {
  const format = useFormat();
  return (
    <Tooltip label={format.time(at)}>
      <time dateTime={at}>{format.ago(at)}</time>
    </Tooltip>
  );
}
