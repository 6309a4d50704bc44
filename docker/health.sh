#!/bin/bash
# health.sh [live|ready]: asks the service in this container for its health; exit code 0 where it is well.
exec 3<> /dev/tcp/127.0.0.1/8081 || exit 1
printf 'GET /health/%s HTTP/1.0\r\nHost: localhost\r\n\r\n' "${1:-live}" >&3
read -r _ status _ <&3
[ "$status" = 200 ]
