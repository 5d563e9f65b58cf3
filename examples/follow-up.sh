#!/bin/sh
# Following up on a new contact, with nothing but curl: a campaign with messages and tasks, its preview, what it does,
# and how to stop it. Needs a system started with `npm start`, and runs as the first demo user. The page of the local
# carriers shows what is sent; no message leaves the machine.
set -eu

. "$(dirname "$0")/client.sh"

# Prints some fields of each record in a list: `each LIST FIELD…`, with the JSON on standard input.
each() {
  list=$1
  shift
  records=$(cat)
  at=0
  while [ -n "$(echo "$records" | field "$list.$at.$1")" ]; do
    line=
    for name in "$@"; do line="$line  $(echo "$records" | field "$list.$at.$name")"; done
    echo " $line"
    at=$((at + 1))
  done
}

stamp="$$.$(date +%s)"

step "1. Create a contact to follow up, as in examples/lead.sh."
email="katherine.$stamp@example.com"
# A number gets only a few texts a day, so each run has another.
phone="+1 503-555-01$(printf '%02d' $(($$ % 100)))"
contact=$(call POST /contacts "{
  \"first_name\": \"Katherine\", \"last_name\": \"Johnson\", \"email\": \"$email\", \"mobile_phone\": \"$phone\"
}" | field id)
echo "   Created contact $contact."

step "2. Write the templates, once for all contacts."
folder=$(call POST /template-folders "{ \"name\": \"New leads $stamp\" }" | field id)
template() {
  call POST /templates "{
    \"template_folder_id\": $folder, \"template_type\": \"$1\", \"subject\": \"$2\", \"body\": \"$3\"
  }" | field id
}
welcome=$(template Email 'Welcome, {{contact.first_name}}' \
  '<p>Dear {{contact.full_name}},</p><p>thank you for contacting us.</p><p>{{user.full_name}}</p>')
hello=$(template Text 'Hello' 'Hello {{contact.first_name}}, this is {{user.first_name}}. May I call you?')
question=$(template Text 'Question' 'Are you still looking for a house, {{contact.first_name}}?')
echo "   Folder $folder holds templates $welcome, $hello and $question."

step "3. Create a campaign with these templates and with tasks for the agent. A lead route can use it, as in examples/lead.sh."
campaign=$(call POST /campaigns "{ \"name\": \"Follow up $stamp\" }" | field id)
action() { call POST "/campaigns/$campaign/actions" "{ $1 }" >/dev/null; }
action "\"type\": \"Email Contact\", \"template_id\": $welcome,
  \"timing_type\": \"Delay by Minutes\", \"delay_by_seconds\": 0"
action "\"type\": \"Text Contact\", \"template_id\": $hello,
  \"timing_type\": \"Delay by Minutes\", \"delay_by_seconds\": 0"
action "\"type\": \"Text Contact\", \"template_id\": $question, \"is_stopped_on_text_reply\": true,
  \"timing_type\": \"Delay by Day and Time\", \"delay_by_days\": 3, \"dispatch_time\": \"10:00:00\""
action "\"type\": \"Agent Task - Call Reminder\", \"notes\": \"Ask when they would like to see it.\",
  \"timing_type\": \"Delay by Day and Time\", \"delay_by_days\": 1, \"dispatch_time\": \"09:30:00\""
action "\"type\": \"Agent Task - Email Reminder\", \"notes\": \"Look for similar houses.\",
  \"timing_type\": \"Recurring\", \"recurrence\": \"FREQ=WEEKLY\", \"delay_by_days\": 7, \"dispatch_time\": \"09:00:00\""
echo "   Campaign $campaign has $(call GET "/campaigns/$campaign/actions" | field total) actions."

step "4. Preview what the contact would get, and when. Nothing is stored or sent."
preview=$(call POST "/campaigns/$campaign/preview" "{ \"contact_id\": $contact }")
echo "$preview" | each communications send_at type body
echo "$preview" | each tasks due_at_utc action_type notes

step "5. Add the contact to the campaign."
added=$(call POST "/campaigns/$campaign/contacts" "{ \"contact_id\": $contact }" | field id)
communications="/contacts/$contact/campaign-communications?campaign_contact_id=$added"
tasks="/tasks?campaign_contact_id=$added"
echo "   Created campaign contact $added."

step "6. Wait until the e-mail and the text are sent."
tries=0
while [ "$(call GET "$communications&dispatch_state=Sent" | field total)" -lt 2 ]; do
  tries=$((tries + 1))
  if [ "$tries" -gt 60 ]; then
    echo "   They were not sent within a minute. Their current state:" >&2
    call GET "$communications" | each data type dispatch_state dispatch_reason >&2
    exit 1
  fi
  sleep 1
done
call GET "$communications&\$sort[send_at]=1" | each data send_at type dispatch_state
page=
if [ -f "$data/system.json" ]; then page=$(field messages <"$data/system.json"); fi
echo "   Read them at ${page:-the address that \`npm start\` prints as Messages}, as $email and her phone received them."

step "7. List the agent's tasks."
call GET "$tasks&\$sort[due_at]=1&\$limit=3" | each data due_at action_type notes
echo "   These are the first tasks of $(call GET "$tasks" | field total)."

step "8. Mark the remaining text as done, so that it is not sent. Then as not done, so that it is."
open=$(call GET "$communications&is_active=true" | field data.0.id)
for is_active in false true; do
  marked=$(call PATCH "/contacts/$contact/campaign-communications/$open" "{ \"is_active\": $is_active }")
  echo "   is_active $is_active: $(echo "$marked" | field dispatch_state). $(echo "$marked" | field dispatch_reason)"
done

step "9. Take the contact out of the campaign. What was sent remains; nothing else will be sent."
call DELETE "/campaigns/$campaign/contacts/$added" >/dev/null
sent=$(call GET "$communications&dispatch_state=Sent" | field total)
left=$(call GET "$communications&is_active=true" | field total)
echo "   $sent were sent, $left are left to send, $(call GET "$tasks" | field total) are left to do."
