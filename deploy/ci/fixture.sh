#!/usr/bin/env bash
# A fixture for the steps of a CI job, used by action.yml:
#   fixture.sh start    installs PACKAGE, starts a fixture with FLAGS, exports its address
#   fixture.sh report   ends it, and leaves its report in FOLDER/report
# OPENPERP_BIN names an installed program in place of PACKAGE. GITHUB_ENV and GITHUB_OUTPUT are
# files for the following steps; without them the lines are printed.
set -euo pipefail

folder="${FOLDER:-${RUNNER_TEMP:-/tmp}/openperp}"
report="$folder/report"

fail() {
  echo "::error::$1" >&2
  exit 1
}

export_value() {
  echo "OPENPERP_$1=$2" >>"${GITHUB_ENV:-/dev/stdout}"
  echo "$(tr '[:upper:]_' '[:lower:]-' <<<"$1")=$2" >>"${GITHUB_OUTPUT:-/dev/null}"
}

field() {
  node -p "JSON.parse(require('fs').readFileSync('$report/ready.json', 'utf8')).$1 ?? ''"
}

start() {
  [ ! -e "$folder/pid" ] || fail "a fixture is running already in $folder"
  mkdir -p "$report"
  local program="${OPENPERP_BIN:-}"
  if [ -z "$program" ]; then
    npm install --prefix "$folder/program" --omit=dev --no-audit --no-fund "${PACKAGE:-openperp}"
    program="$folder/program/node_modules/openperp/scripts/openperp.mjs"
  fi
  # Its input is not a pipe, so that it does not end with this step.
  # shellcheck disable=SC2086
  nohup node "$program" start --fixture --data "$report/data" ${FLAGS:-} \
    </dev/null >"$report/ready.json" 2>"$report/log.txt" &
  echo $! >"$folder/pid"
  local waits=0
  until grep -q '}$' "$report/ready.json"; do
    if ! kill -0 "$(cat "$folder/pid")" 2>/dev/null || [ $((waits += 1)) -gt 600 ]; then
      rm "$folder/pid"
      fail "the fixture did not start: $(cat "$report/log.txt")"
    fi
    sleep 0.1
  done
  export_value URL "$(field url)"
  local token
  token="$(field sandbox_token)"
  if [ -n "$token" ]; then
    echo "::add-mask::$token"
    export_value SANDBOX_TOKEN "$token"
  fi
}

report() {
  [ -e "$folder/pid" ] || fail "there is no fixture in $folder: run start first"
  local pid url token path
  pid="$(cat "$folder/pid")"
  url="$(field url)"
  token="$(field sandbox_token)"
  for path in status api/v1/sandbox/clock api/v1/sandbox/hash api/v1/sandbox/faults; do
    # A version may lack one of them, and a fixture may have crashed.
    curl --fail --silent --max-time 10 --header "authorization: Bearer $token" "$url/$path" \
      --output "$report/${path##*/}.json" || true
  done
  kill "$pid" 2>/dev/null || echo "::warning::the fixture had ended before: see log.txt"
  for _ in $(seq 100); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  rm "$folder/pid"
}

case "${1:-}" in
  start) start ;;
  report) report ;;
  *) fail "command must be start or report, not ${1:-empty}" ;;
esac
