# One image for everything of ours: each service, the gateway, the local carriers and the crm command.
ARG NODE_IMAGE=node:26.10.0-trixie-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY . .
# Without development packages and what only an embedded system needs. The links between workspaces stay.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund \
  && node scripts/remove-unused.mjs node_modules \
  && rm -rf test examples docs/decisions docs/*.md packages/testing packages/*/test services/*/test gateway/test \
  && find packages services gateway -name '*.test.ts' -delete

FROM ${NODE_IMAGE}
ENV NODE_ENV=production TZ=UTC HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=packages --chown=root:root /app /app
# Mount points of the volumes of secrets, which take their owner from here.
RUN cd /run && mkdir crm && cd crm \
  && mkdir postgres nats identity contacts scheduling campaigns-templates leads-routing gateway carriers operator \
  && chown -R 1000:1000 /run/crm
USER 1000:1000
EXPOSE 3000
# By bash, because starting a Node for it takes fifty times as long.
HEALTHCHECK --interval=5s --timeout=3s --start-period=2m --retries=6 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/3000 && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["node"]
