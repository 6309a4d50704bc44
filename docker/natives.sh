#!/bin/bash
# natives.sh LIB NATIVE: takes the native libraries out of the jars in the folder LIB, and puts those of this machine into
# the folder NATIVE. RocksDB and the codecs look for them on the path of the system before they would unpack them into a
# temporary folder, which a container with a read-only root does not have. The jars carry those of fourteen machines.
set -euo pipefail
lib=$(realpath "$1")
mkdir -p "$2"
native=$(realpath "$2")
case $(uname -m) in
    x86_64) rocksdb=linux64 codecs=amd64 snappy=x86_64 ;;
    aarch64) rocksdb=linux-aarch64 codecs=aarch64 snappy=aarch64 ;;
    *) echo "natives.sh: expected a machine of x86_64 or aarch64, found $(uname -m)" >&2; exit 1 ;;
esac

take() { # JAR FILE [NAME]
    local unpacked
    unpacked=$(mktemp -d)
    (
        cd "$unpacked"
        jar xf "$1"
        cp "$2" "$native/${3:-$(basename "$2")}"
        find . -type f \( -name '*.so' -o -name '*.dll' -o -name '*.dylib' -o -name '*.jnilib' -o -name '*.a' \) -delete
        find . -type d -empty -delete
        [[ $1 != */snappy-java-* ]] || echo "org.xerial.snappy.use.systemlib=true" > org-xerial-snappy.properties
        jar --create --file "$1" --no-manifest --date 2026-01-01T00:00:00Z .
    )
    rm -r "$unpacked"
}

take "$(echo "$lib"/rocksdbjni-*.jar)" "librocksdbjni-$rocksdb.so" librocksdbjni.so
zstd=$(echo "$lib"/zstd-jni-*.jar)
take "$zstd" "linux/$codecs/lib$(basename "$zstd" .jar).so"
take "$(echo "$lib"/lz4-java-*.jar)" "net/jpountz/util/linux/$codecs/liblz4-java.so"
take "$(echo "$lib"/snappy-java-*.jar)" "org/xerial/snappy/native/Linux/$snappy/libsnappyjava.so"
