import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useRef } from "react";
import { ApiError, call, rememberCsrfToken } from "./api.js";

/** Who is signed in, and what they may do. */
export interface ConsoleSession {
  readonly member: {
    readonly id: string;
    readonly email: string;
    readonly name: string | null;
    readonly role: "owner" | "developer" | "viewer";
    /** Whether they want mails about proposals. */
    readonly proposal_mails: boolean;
    /** Whether codes by mail do not sign them in. */
    readonly passkey_required: boolean;
  };
  readonly tenant: { readonly id: string; readonly name: string };
  readonly environments: readonly string[];
  readonly scopes: readonly string[];
  readonly csrf_token: string;
  readonly version: string;
}

export const sessionKey = ["session"];

/** The session of the cookie; null where there is none. */
export function useSessionQuery() {
  return useQuery({
    queryKey: sessionKey,
    queryFn: async ({ signal }) => {
      try {
        const { data } = await call<ConsoleSession>({ path: "/console/session", signal });
        rememberCsrfToken(data.csrf_token);
        return data;
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) throw error;
        rememberCsrfToken(undefined);
        return null;
      }
    },
    staleTime: 60_000,
  });
}

const channelName = "trellis-console";

/** Has everything read anew, here and in the browser's other tabs, as another member may read other things. */
export function useForget(): () => Promise<void> {
  const forgetHere = useForgetHere();
  return async () => {
    const channel = new BroadcastChannel(channelName);
    channel.postMessage("forget");
    channel.close();
    await forgetHere();
  };
}

/** Follows what other tabs do: who signs out in one of them is signed out in this one. */
export function useForgetWithOthers(): void {
  const forgetHere = useRef(useForgetHere());
  useEffect(() => {
    const channel = new BroadcastChannel(channelName);
    channel.onmessage = () => void forgetHere.current();
    return () => channel.close();
  }, []);
}

/** Has it read anew who is signed in, and what they chose. */
export function useRefreshSession(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: sessionKey });
}

function useForgetHere(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    await client.invalidateQueries({ queryKey: sessionKey });
  };
}

interface Place {
  readonly session: ConsoleSession;
  readonly environment: string;
}

const PlaceContext = createContext<Place | undefined>(undefined);

export function PlaceProvider({ place, children }: { readonly place: Place; readonly children: ReactNode }) {
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

/** Whose console it is, and of which environment. */
export function usePlace(): Place {
  const place = use(PlaceContext);
  if (place === undefined) throw new Error("usePlace is for what stands inside the console");
  return place;
}

/** Whether the member may do what needs the scope. */
export function useMay(scope: string): boolean {
  return usePlace().session.scopes.includes(scope);
}
