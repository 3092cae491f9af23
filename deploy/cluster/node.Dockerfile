# A node of the exchange. The driver of PostgreSQL is no part of openperp.
FROM node:22-bookworm-slim
RUN npm install --prefix /opt/openperp --omit=dev openperp pg@8 \
  && useradd --system --home-dir /var/lib/openperp openperp \
  && install -d -o openperp -g openperp -m 0700 /var/lib/openperp
USER openperp
VOLUME /var/lib/openperp
ENTRYPOINT ["node", "/opt/openperp/node_modules/openperp/scripts/openperp.mjs", "start"]
