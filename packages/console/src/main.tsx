import "./style.css";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Console } from "./console.js";
import { ApiError } from "./parts/api.js";
import { sessionKey } from "./parts/session.js";

const root = document.querySelector("#root");
if (root === null) throw new Error("the page has no #root");

/** A session that has ended elsewhere is noticed by the first call that is refused for it. */
const onError = (error: unknown): void => {
  if (error instanceof ApiError && error.status === 401) void client.invalidateQueries({ queryKey: sessionKey });
};

const client = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays one; what did not answer is asked again.
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { retry: false },
  },
});

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Console />
    </QueryClientProvider>
  </StrictMode>,
);
