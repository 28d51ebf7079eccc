import "../style.css";
import "./style.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiError } from "../parts/api.js";
import { Treasury } from "./treasury.js";

const root = document.querySelector("#root");
if (root === null) throw new Error("the page has no #root");

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal stays one; what did not answer is asked again.
      retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status >= 400),
    },
  },
});

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Treasury />
    </QueryClientProvider>
  </StrictMode>,
);
