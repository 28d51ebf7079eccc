/// <reference types="vite/client" />

interface ImportMetaEnv {
  readonly VITE_TRELLIS_URL?: string;
  readonly VITE_TRELLIS_KEY?: string;
  readonly VITE_BACKEND_URL?: string;
}
