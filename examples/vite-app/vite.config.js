import { defineConfig } from "vite";

// One address for development and for what was built: the publishable key is for it alone.
const address = { host: "localhost", port: 5173, strictPort: true };

export default defineConfig({ server: address, preview: address });
