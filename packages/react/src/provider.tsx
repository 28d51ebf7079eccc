import { createBrowserStorage, type TrellisClient } from "@trellis/sdk";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { type Connection, type ConnectionOptions, createConnection } from "./connection.js";
import { pageStorage, pageVisibility, pageWallets } from "./web.js";

const ConnectionContext = createContext<Connection | undefined>(undefined);

export type TrellisProviderProps = ConnectionOptions & { readonly children?: ReactNode };

/**
 * Gives everything below it one connection to a service. Its options count as they are at the first rendering; another
 * service or key is another provider (`key`).
 *
 * @example
 * <TrellisProvider baseUrl="https://trellis.example.com" apiKey="pk_test_…" environment="sandbox">…</TrellisProvider>
 */
export function TrellisProvider({ children, ...options }: TrellisProviderProps): ReactNode {
  const [connection] = useState(() =>
    createConnection({
      ...options,
      storage: options.storage ?? pageStorage(),
      sessionStorage: options.sessionStorage ?? createBrowserStorage(),
      visibility: options.visibility ?? pageVisibility(),
      wallets: options.wallets ?? pageWallets(),
    }),
  );
  useEffect(() => connection.open(), [connection]);
  return <ConnectionContext.Provider value={connection}>{children}</ConnectionContext.Provider>;
}

/** The client below the hooks, for everything that has no hook. It shows the session of the user who is signed in. */
export function useClient(): TrellisClient {
  return useConnection().client;
}

export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (connection === undefined) throw new Error("there is no TrellisProvider above this component");
  return connection;
}
