import { defineConfig } from 'vite';

/** For `npm run dev`: the server that answers. */
const target = process.env.STUDIO ?? 'http://127.0.0.1:8960';

// The page is part of the program: one script, one style sheet, nothing from elsewhere
export default defineConfig({
  build: { target: 'es2022', modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  server: { proxy: { '/api': { target, ws: true, changeOrigin: true, rewriteWsOrigin: true, headers: { origin: target } } } },
});
