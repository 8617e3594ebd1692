#!/bin/sh
# A racing bot of curl and shell: joins a race over REST and plays it to the end.
#
#     SCOUNDREL_TOKEN=sdl_... sh bot.sh http://127.0.0.1:8000 RACE_ID
#
# The token needs the scopes read, play and race. It takes the first legal move that is
# not deadly. Every move has a key, so one that was not answered is sent again safely.
set -eu
site=${1%/} race=$2
api="$site/api/v1/races/$race"

ask() { # METHOD PATH [BODY]: the answer, whatever its status
    curl -sS --max-time 10 --retry 5 --retry-connrefused -X "$1" "$api/$2" \
        -H "Authorization: Bearer $SCOUNDREL_TOKEN" \
        -H "Content-Type: application/json" ${3+--data "$3"}
}

# The value of a plain field of the JSON on standard input: field NAME
field() { tr ',{}' '\n\n\n' | sed -n "s/^ *\"$1\": *\"\{0,1\}\([^\"]*\)\"\{0,1\}.*/\1/p" | head -n 1; }

# The run within an answer, up to where its legal moves end.
run_of() { sed -n 's/.*"run": *{\(.*\)/\1/p'; }

# The first legal move that is not deadly, else the first.
choose() {
    moves=$(sed 's/.*"legal": *\[//; s/"blocked".*//' | tr '{' '\n' | grep '"action"')
    printf '%s\n' "$moves" | grep '"lethal": *false' | grep -v '"avoid"' > /dev/null &&
        moves=$(printf '%s\n' "$moves" | grep '"lethal": *false' | grep -v '"avoid"')
    printf '%s\n' "$moves" | field move
}

ask POST join/ '{}' > /dev/null
ask POST ready/ '{}' > /dev/null
while :; do
    now=$(ask GET '')
    phase=$(printf '%s' "$now" | field phase)
    case $phase in
        open | countdown) sleep 1; continue ;;
        running) ;;
        *) echo "the race is $phase"; printf '%s\n' "$now" | tr '{' '\n' | grep '"place"' | sed 's/}.*//'; exit 0 ;;
    esac
    run=$(printf '%s' "$now" | run_of)
    status=$(printf '%s' "$run" | field status)
    if [ "$status" != playing ]; then echo "my run: $status"; sleep 2; continue; fi
    index=$(printf '%s' "$run" | field index)
    move=$(printf '%s' "$run" | choose)
    echo "$index $move"
    ask POST moves/ "{\"index\": $index, \"move\": \"$move\", \"key\": \"sh-$$-$index\"}" > /dev/null
    sleep 0.3
done
