# Shared by the examples: the address of the system, the demo tokens, and a request function. Sourced, not run.
#   CRM_URL    the address of the gateway; defaults to the one in the data folder
#   CRM_TOKEN  an access token; defaults to the first one of the demo
set -eu

project=$(cd "$(dirname "$0")/.." && pwd)
data=${CRM_DATA_DIR:-$project/.crm}
demo=$data/demo.json
node=$project/node_modules/.bin/node
[ -x "$node" ] || node=node

# Prints one value of the JSON on standard input: `field data.0.id`.
field() {
  "$node" -e '
    const path = process.argv[1].split(".");
    const value = path.reduce((inner, key) => inner?.[key], JSON.parse(require("fs").readFileSync(0, "utf8")));
    console.log(value ?? "");
  ' "$1"
}

url=${CRM_URL:-}
if [ -z "$url" ] && [ -f "$data/system.json" ]; then url=$(field gateway <"$data/system.json"); fi
url=${url:-http://127.0.0.1:3000}
url=${url%/}

# The token of a demo user, counted from 0: `token_of 2`.
token_of() { field "people.$1.token" <"$demo"; }

token=${CRM_TOKEN:-}
if [ -z "$token" ]; then
  if [ ! -f "$demo" ]; then
    echo "No demo token found in $demo. Run \`npm start\` first, or set CRM_TOKEN." >&2
    exit 1
  fi
  token=$(token_of 0)
fi

# Sends a request and prints the response body: `call METHOD PATH [BODY]`. An error response ends the script.
call() {
  method=$1 path=$2 body=${3:-}
  set -- --silent --show-error --fail-with-body --globoff --request "$method" \
    --header "Authorization: Bearer $token"
  if [ -n "$body" ]; then set -- "$@" --header 'Content-Type: application/json' --data "$body"; fi
  curl "$@" "$url$path"
}

step() { printf '\n%s\n' "$1"; }
