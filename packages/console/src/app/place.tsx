import { createContext, type ReactNode, use } from "react";
import { hrefOf as hrefOfParts, useRoute } from "../parts/route.js";

/** Whose pages these are, and of which environment and account. */
export interface Place {
  readonly tenant: string;
  readonly environment: "sandbox" | "devnet" | "mainnet";
  /** The account that is shown. */
  readonly account: string;
  /** The signers of the account that the session signs for. */
  readonly signers: readonly string[];
}

const PlaceContext = createContext<Place | undefined>(undefined);

export function PlaceProvider({ place, children }: { readonly place: Place; readonly children: ReactNode }) {
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

export function usePlace(): Place {
  const place = use(PlaceContext);
  if (place === undefined) throw new Error("usePlace is for what stands inside an account's pages");
  return place;
}

/** `#/TENANT/ENVIRONMENT/ACCOUNT/VIEW/…`, of which the end may be missing. */
export interface Route {
  readonly tenant: string | undefined;
  readonly environment: string | undefined;
  readonly account: string | undefined;
  /** The name of the view, and what follows it. */
  readonly parts: readonly string[];
}

export function useTreasuryRoute(): Route {
  const { environment: tenant, parts } = useRoute();
  const [environment, account, ...rest] = parts;
  return { tenant, environment, account, parts: rest };
}

export const hrefOf = (
  { tenant, environment, account }: Pick<Place, "tenant" | "environment"> & { readonly account?: string },
  parts: readonly string[] = [],
): string => hrefOfParts(tenant, [environment, ...(account === undefined ? [] : [account, ...parts])]);
