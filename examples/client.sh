# What the examples share: the address of the system, the tokens of its demo, and a request. Read by `.`, not run.
#   CRM_URL    its address; without it the one in the data folder is taken
#   CRM_TOKEN  an access token; without it the first one of the demo is taken
set -eu

project=$(cd "$(dirname "$0")/.." && pwd)
data=${CRM_DATA_DIR:-$project/.crm}
demo=$data/demo.json
node=$project/node_modules/.bin/node
[ -x "$node" ] || node=node

# Takes one value out of the JSON on standard input: `field data.0.id`.
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

# The token of the first person of the demo, or of the one that comes so many later: `token_of 2`.
token_of() { field "people.$1.token" <"$demo"; }

token=${CRM_TOKEN:-}
if [ -z "$token" ]; then
  if [ ! -f "$demo" ]; then
    echo "There is no demo token in $demo. Run \`npm start\` first, or set CRM_TOKEN." >&2
    exit 1
  fi
  token=$(token_of 0)
fi

# Sends one request and prints the body of the answer: `call METHOD PATH [BODY]`. A refusal ends the script.
call() {
  method=$1 path=$2 body=${3:-}
  set -- --silent --show-error --fail-with-body --globoff --request "$method" \
    --header "Authorization: Bearer $token"
  if [ -n "$body" ]; then set -- "$@" --header 'Content-Type: application/json' --data "$body"; fi
  curl "$@" "$url$path"
}

step() { printf '\n%s\n' "$1"; }
