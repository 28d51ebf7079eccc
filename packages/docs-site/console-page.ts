/** The page of the console for every call, started by `browser/console.ts`. */
export const consolePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Try every call · Trellis</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script defer src="/docs/assets/scalar.js"></script>
<script type="module" src="/docs/assets/console.js"></script>
</head>
<body>
<noscript><p>This page needs JavaScript. Without it, read <a href="/docs/contract">the contract</a> or <a href="/openapi.json">openapi.json</a>.</p></noscript>
<div id="app"></div>
</body>
</html>
`;
