#!/bin/sh
# A first look at the API, with nothing but curl. Needs a system started with `npm start`.
#   CRM_URL    the address of the gateway; defaults to the one in the data folder
#   CRM_TOKEN  an access token; defaults to the first one of the demo
set -eu

. "$(dirname "$0")/client.sh"

email="ada.$$.$(date +%s)@example.com"

step "1. Search for a contact by e-mail address before creating it."
found=$(call GET "/contacts?email=$email" | field total)
echo "   $found contacts have $email."

step "2. Create the contact."
contact=$(call POST /contacts "{
  \"first_name\": \"Ada\", \"last_name\": \"Lovelace\", \"email\": \"$email\",
  \"mobile_phone\": \"+1 503-555-0199\", \"tags\": \"buyer,first home\"
}")
id=$(echo "$contact" | field id)
echo "   It is contact $id."

step "3. Add an address."
address=$(call POST "/contacts/$id/addresses" '{
  "type": "Home", "street_address_1": "12 St James Square", "city": "Portland", "state": "Oregon", "zip": "97201"
}')
echo "   It is address $(echo "$address" | field id), in $(echo "$address" | field city)."

step "4. Set a hotness: look one up, then set it on the contact."
hotness=$(call GET '/hotnesses?$sort[rank]=1&$limit=1')
hotness_id=$(echo "$hotness" | field data.0.id)
if [ -z "$hotness_id" ]; then
  hotness_id=$(call POST /hotnesses '{ "name": "Hot", "rank": 1, "color": "#d9480f" }' | field id)
fi
hot=$(call PATCH "/contacts/$id" "{ \"hotness_id\": $hotness_id }")
echo "   The contact is now $(echo "$hot" | field hotness.name)."

step "5. Update the contact. Fields that a PATCH does not name keep their values."
patched=$(call PATCH "/contacts/$id" '{ "company": "Analytical Engines", "birthday": "1975-12-10" }')
echo "   $(echo "$patched" | field first_name) works at $(echo "$patched" | field company)."

step "6. Page through the list, five at a time, newest first."
skip=0
total=1
while [ "$skip" -lt "$total" ]; do
  page=$(call GET "/contacts?\$sort[created_at]=-1&\$limit=5&\$skip=$skip")
  total=$(echo "$page" | field total)
  echo "   From $skip of $total: $(echo "$page" | field data.0.first_name) and others."
  skip=$((skip + 5))
done

step "7. Cause an error. It names the field and says what is wrong."
if error=$(call PATCH "/contacts/$id" '{ "hotness_id": 999999999 }' 2>/dev/null); then
  echo "   The API accepted a hotness that does not exist." >&2
  exit 1
fi
echo "   $(echo "$error" | field code) $(echo "$error" | field name): hotness_id $(echo "$error" | field errors.hotness_id)"

step "8. Remove the contact."
call DELETE "/contacts/$id" >/dev/null
echo "   It was removed."

printf '\nThe API reference is at %s/docs\n' "$url"
