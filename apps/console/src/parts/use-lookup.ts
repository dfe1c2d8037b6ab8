import { useQuery } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { ApiError } from "../api/problem.ts";

const EXPAND = ["location", "custodian", "category", "status"] as const;

/** The asset of a tag or of the address on a label; null if the code is unknown. */
export const useLookup = (code: string) =>
  useQuery({
    queryKey: ["get", "/assets/lookup", code],
    queryFn: async ({ signal }) => {
      try {
        const query = { tag: code, expand: [...EXPAND] };
        return (await api.GET("/assets/lookup", { params: { query }, signal })).data ?? null;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
