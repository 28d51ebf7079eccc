#!/usr/bin/env bash
# Makes a certificate authority for one cluster, and a certificate for each node: certificates.sh DIR db1=10.0.0.11 db2=10.0.0.12 …
# A node gets DIR/ca.crt, DIR/NAME.crt as node.crt, and DIR/NAME.key as node.key. DIR/ca.key stays offline, for further nodes.
set -euo pipefail
umask 077
directory=${1:?directory}
shift
mkdir -p "$directory"
cd "$directory"

key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1" 2>/dev/null; }

if [ -f ca.crt ] && [ ! -f ca.key ]; then
  echo "ca.key is not here: bring it back from where it is kept. Another authority would be trusted by no node." >&2
  exit 1
fi
if [ ! -f ca.key ]; then
  key ca.key
  openssl req -x509 -new -key ca.key -sha256 -days 3650 -subj '/CN=Trellis database cluster' \
    -addext 'basicConstraints=critical,CA:TRUE,pathlen:0' -addext 'keyUsage=critical,keyCertSign,cRLSign' -out ca.crt
fi
for node in "$@"; do
  name=${node%%=*}
  address=${node#*=}
  key "$name.key"
  # Nodes are servers and clients of each other. Each is also reached on its own loopback, by its operator.
  openssl req -new -key "$name.key" -subj "/CN=$name" |
    openssl x509 -req -CA ca.crt -CAkey ca.key -CAcreateserial -sha256 -days 825 -out "$name.crt" -extfile <(
      printf '%s\n' "subjectAltName=DNS:$name,IP:$address,IP:127.0.0.1,DNS:localhost" \
        'extendedKeyUsage=serverAuth,clientAuth' 'keyUsage=critical,digitalSignature' 'basicConstraints=critical,CA:FALSE'
    ) 2>/dev/null
done
chmod 0644 ./*.crt
