import "./style.css";
import { TrellisProvider } from "@trellis/react";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.js";

const { VITE_TRELLIS_URL: baseUrl = "http://127.0.0.1:8080", VITE_TRELLIS_KEY: apiKey } = import.meta.env;
const root = document.querySelector("#root");
if (root === null) throw new Error("the page has no #root");

createRoot(root).render(
  <StrictMode>
    {apiKey === undefined ? (
      <p className="notice">This page has no key yet. Make one: see examples/README.md.</p>
    ) : (
      <TrellisProvider baseUrl={baseUrl} apiKey={apiKey} environment="sandbox">
        <App />
      </TrellisProvider>
    )}
  </StrictMode>,
);
