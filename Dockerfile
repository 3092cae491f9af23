# An exchange, built from this clone: `docker build -t openperp .`. Without arguments it is a sandbox
# on port 8080; `start --fixture` is a fixture (docs/ci.md). It can replace the image of
# deploy/venue, which installs a published version.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN npm ci && npm pack --pack-destination /packed

FROM node:22-bookworm-slim
COPY --from=build /packed /packed
RUN npm install --prefix /opt/openperp --omit=dev /packed/*.tgz \
  && rm -r /packed /root/.npm \
  && useradd --system --home-dir /var/lib/openperp openperp \
  && install -d -o openperp -g openperp -m 0700 /var/lib/openperp /var/backups/openperp
USER openperp
WORKDIR /var/lib/openperp
# Fixtures do not read these.
ENV OPENPERP_HOST=0.0.0.0 OPENPERP_DATA=/var/lib/openperp
VOLUME ["/var/lib/openperp", "/var/backups/openperp"]
EXPOSE 8080 8082
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "/opt/openperp/node_modules/openperp/deploy/ci/health.mjs"]
ENTRYPOINT ["node", "/opt/openperp/node_modules/openperp/scripts/openperp.mjs"]
CMD ["start"]
