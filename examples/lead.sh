#!/bin/sh
# A lead and how it reaches an agent, with nothing but curl. Needs a system started with `npm start`. Runs as the first
# demo user, whose team gets the lead, and as the member who claims it.
set -eu

. "$(dirname "$0")/client.sh"

stamp="$$.$(date +%s)"

step "1. Search for the contact by e-mail address, and create it because it does not exist."
email="grace.$stamp@example.com"
found=$(call GET "/contacts?email=$email" | field total)
source=$(call GET '/contact-sources?name=Zillow' | field data.0.id)
contact=$(call POST /contacts "{
  \"first_name\": \"Grace\", \"last_name\": \"Hopper\", \"email\": \"$email\", \"source_id\": $source
}" | field id)
echo "   $found found; created contact $contact, from source $source."

step "2. Look up the lead source, and create a campaign for new leads."
lead_source=$(call GET '/lead-sources?name=Zillow' | field data.0.id)
campaign=$(call POST /campaigns "{ \"name\": \"Welcome $stamp\" }" | field id)
echo "   Lead source $lead_source, campaign $campaign."

step "3. Set up who in the team is offered leads, by rank."
team=$(call GET '/teams?$limit=1' | field data.0.id)
call PATCH "/teams/$team" '{ "order_method": "Rank", "mins_until_next_alert": 5 }' >/dev/null
members=$(call GET "/team-members?team.id=$team&request_status=Accepted&\$limit=100")
rank=1
while user=$(echo "$members" | field "data.$((rank - 1)).user.id") && [ -n "$user" ]; do
  known=$(call GET "/team-member-distribution-options?team_id=$team&user_id=$user" | field total)
  if [ "$known" = 0 ]; then
    call POST /team-member-distribution-options "{
      \"team_id\": $team, \"user_id\": $user, \"rank\": $rank, \"assign_automatically\": false,
      \"has_email_alert\": true, \"has_text_alert\": true
    }" >/dev/null
  fi
  echo "   $rank. $(echo "$members" | field "data.$((rank - 1)).user.first_name")"
  rank=$((rank + 1))
done

step "4. Simulate where a lead would go, before there is one."
lead_fields="\"contact_id\": $contact, \"source_id\": $lead_source, \"type\": \"Buyer\""
simulated=$(call POST /lead-routes/simulate "{ $lead_fields }")
echo "   Distribution target: $(echo "$simulated" | field distribution_target)."

step "5. Route leads from this source to the team."
route=$(call POST /lead-routes "{
  \"lead_source_id\": $lead_source, \"contact_source_id\": $source, \"campaign_id\": $campaign,
  \"distribution_target\": \"Team Rollout\", \"team_selection_method\": \"Specific Team\", \"team_id\": $team,
  \"filter\": \"Buyer\"
}" | field id)
echo "   Created route $route."

step "6. Submit the lead."
lead=$(call POST /leads "{
  $lead_fields, \"text_body\": \"Is this house still for sale?\", \"listing_price\": \"649000\",
  \"street_address\": \"820 NE Alberta St\", \"city\": \"Portland\", \"state\": \"OR\", \"zipcode\": 97211
}")
id=$(echo "$lead" | field id)
echo "   Lead $id goes to: $(echo "$lead" | field distribution_target). Its status is $(echo "$lead" | field status)."

step "7. Offer it to the team, and see who is offered it when."
call POST "/leads/$id/offers" '{}' >/dev/null
offers=$(call GET "/leads/$id/offers?\$sort[notify_at]=1")
at=0
while name=$(echo "$offers" | field "data.$at.user.first_name") && [ -n "$name" ]; do
  echo "   $(echo "$offers" | field "data.$at.notify_at")  $name"
  at=$((at + 1))
done

step "8. The first member claims it, and the others are no longer asked."
first=$(echo "$offers" | field data.0.user.email)
person=0
while [ "$(field "people.$person.email" <"$demo")" != "$first" ]; do person=$((person + 1)); done
token=$(token_of "$person")
claimed=$(call POST "/leads/$id/claim" '{}')
echo "   $(echo "$claimed" | field assigned_to_user.first_name) has it, after $(echo "$claimed" | field time_to_claim). Its status is $(echo "$claimed" | field status)."

token=$(token_of 0)
echo "   $(call GET "/leads/$id/offers" | field total) offer is left; those that were still pending were removed."

printf '\nRead the alerts on the page that `npm start` prints as Messages.\n'
