#!/bin/sh
# A bot in shell with curl: joins a race over REST and plays it to the end.
#
#     SCOUNDREL_TOKEN=sdl_... sh bot.sh http://127.0.0.1:8000 RACE_ID
#
# The token needs the scopes read, play and race. It takes the first legal move that is
# not lethal. Every move has a key, so that a repeated request plays it only once.
set -eu
site=${1%/} race=$2
api="$site/api/v1/races/$race"

request() { # METHOD PATH [BODY]: prints the answer, also of an error
    curl -sS --max-time 10 --retry 5 --retry-connrefused -X "$1" "$api/$2" \
        -H "Authorization: Bearer $SCOUNDREL_TOKEN" \
        -H "Content-Type: application/json" ${3+--data "$3"}
}

# Prints the value of field NAME of the JSON on standard input.
field() { tr ',{}' '\n\n\n' | sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\"]*\)\"\{0,1\}.*/\1/p" | head -n 1; }

# Prints the part of an answer that begins with the run.
run_of() { sed -n 's/.*"run": *{\(.*\)/\1/p'; }

# Prints the first legal move that is not lethal and not `avoid`, else the first.
choose() {
    moves=$(sed 's/.*"legal": *\[//; s/"blocked".*//' | tr '{' '\n' | grep '"action"')
    printf '%s\n' "$moves" | grep '"lethal": *false' | grep -v '"avoid"' > /dev/null &&
        moves=$(printf '%s\n' "$moves" | grep '"lethal": *false' | grep -v '"avoid"')
    printf '%s\n' "$moves" | field move
}

request POST join/ '{}' > /dev/null
request POST ready/ '{}' > /dev/null
while :; do
    race_json=$(request GET '')
    phase=$(printf '%s' "$race_json" | field phase)
    case $phase in
        open | countdown) sleep 1; continue ;;
        running) ;;
        *) echo "the race is $phase"; printf '%s\n' "$race_json" | tr '{' '\n' | grep '"place"' | sed 's/}.*//'; exit 0 ;;
    esac
    run=$(printf '%s' "$race_json" | run_of)
    status=$(printf '%s' "$run" | field status)
    if [ "$status" != playing ]; then echo "my run: $status"; sleep 2; continue; fi
    index=$(printf '%s' "$run" | field index)
    move=$(printf '%s' "$run" | choose)
    echo "$index $move"
    request POST moves/ "{\"index\": $index, \"move\": \"$move\", \"key\": \"sh-$$-$index\"}" > /dev/null
    sleep 0.3
done
