#!/bin/bash
# Builds the image, and runs it where there is no engine.
#   docker/image.sh build              with docker, podman or buildah, after `mvn package`
#   docker/image.sh base JDK           where images cannot be pulled: makes stand-ins for both base images with debootstrap,
#                                      of Debian's packages and the JDK in that folder, for buildah; as root
#   docker/image.sh run VOLUME [ARG]   runs what buildah built with a read-only root as process 1 of its own namespaces, on
#                                      the network of the host; VOLUME is a folder; ARG replaces the image's command; the
#                                      variables NEARDUP_..., KAFKA_... and JAVA_OPTS are handed on, MEMORY=1g bounds it; as root
set -euo pipefail
cd "$(dirname "$0")/.."
IMAGE=neardup
MADE=1767225600 # The time of all files, as project.build.outputTimestamp: layers of the same files are the same layers.
# docker has no such option.
LOCAL_BASE=localhost/neardup-base LOCAL_JDK=localhost/neardup-jdk

fail() {
    echo "image.sh: $*" >&2
    exit 1
}

build() {
    [[ -f target/neardup.jar && -d target/lib ]] || fail "expected target/neardup.jar and target/lib: mvn -DskipTests package"
    local engine args=() # An image for docker's health check: the format of OCI has none.
    for engine in docker podman buildah; do
        "$engine" info > /dev/null 2>&1 && break || engine=""
    done
    case $engine in
        docker) ;;
        podman) args=(--format docker --timestamp "$MADE") ;;
        buildah) args=(--format docker --timestamp "$MADE" --isolation chroot --network host --layers) ;;
        *) fail "expected docker, podman or buildah that works for this user, found none" ;;
    esac
    if [[ $engine = buildah ]] && buildah images -q "$LOCAL_BASE" > /dev/null 2>&1; then
        args+=(--build-arg "BASE=$LOCAL_BASE" --build-arg "JDK=$LOCAL_JDK" --pull-never)
    fi
    "$engine" build "${args[@]}" -f docker/Dockerfile -t "$IMAGE" .
}

base() {
    local jdk=${1:?the folder of a JDK} root container
    [[ -x $jdk/bin/jlink ]] || fail "$jdk: expected a JDK, found no bin/jlink"
    root=$(mktemp -d)
    debootstrap --variant=minbase bookworm "$root" > /dev/null
    # What debian:bookworm-slim leaves out.
    rm -rf "$root"/usr/share/{doc,info,locale,man}/* "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/* \
        "${root:?}"/dev/*
    container=$(buildah from scratch)
    buildah add -q "$container" "$root" / > /dev/null
    buildah commit -q "$container" "$LOCAL_BASE"
    rm -rf "$root"
    cp -rL "$jdk" "$root" # Where its certificates are a link to those of the machine.
    buildah add -q "$container" "$root" /opt/jdk > /dev/null
    buildah config --env PATH=/opt/jdk/bin:/usr/bin:/bin "$container"
    buildah commit -q --rm "$container" "$LOCAL_JDK"
    rm -rf "$root"
}

run() {
    local volume container root status=0
    volume=$(cd "$OLDPWD" && realpath "${1:?the folder of the volume}")
    shift
    local group=""
    if [[ -n ${MEMORY:-} ]]; then
        bound_memory "$MEMORY"
    fi
    container=$(buildah from --pull-never "$IMAGE")
    root=$(buildah mount "$container")
    mapfile -t environment < <(of_image '{{range .OCIv1.Config.Env}}{{println .}}{{end}}' | grep . ; env | grep -E '^(NEARDUP_|KAFKA_|JAVA_OPTS=)')
    mapfile -t command < <(of_image '{{range .OCIv1.Config.Entrypoint}}{{println .}}{{end}}' | grep .)
    if [[ $# -gt 0 ]]; then
        command+=("$@")
    else
        mapfile -t -O "${#command[@]}" command < <(of_image '{{range .OCIv1.Config.Cmd}}{{println .}}{{end}}' | grep .)
    fi
    export -f inside
    unshare --mount --pid --fork --ipc --uts bash -c 'inside "$@"' inside \
        "$group" "$root" "$volume" "$(of_image '{{.OCIv1.Config.User}}')" env -i "${environment[@]}" "${command[@]}" &
    local unshare=$!
    # unshare hands no signals on.
    trap 'pkill -TERM -P $unshare' TERM INT
    wait $unshare || status=$?
    while kill -0 $unshare 2> /dev/null; do
        status=0
        wait $unshare || status=$?
    done
    buildah rm "$container" > /dev/null
    exit "$status"
}

bound_memory() { # MEMORY, as in 1g: sets group to a control group of that much, which goes with this script
    local file
    if [[ -f /sys/fs/cgroup/cgroup.controllers ]]; then
        group=/sys/fs/cgroup/neardup-$$ file=memory.max
    elif [[ -d /sys/fs/cgroup/memory ]]; then
        group=/sys/fs/cgroup/memory/neardup-$$ file=memory.limit_in_bytes
    else
        fail "MEMORY=$1: expected control groups in /sys/fs/cgroup, found none"
    fi
    mkdir "$group"
    # shellcheck disable=SC2064 # The name as it is now: the variable is gone by then.
    trap "rmdir '$group'" EXIT
    [[ -f $group/$file ]] || fail "MEMORY=$1: expected $group/$file, found none: the controller of memory is off"
    echo "$1" > "$group/$file" || fail "MEMORY=$1: $group/$file refused it"
}

of_image() {
    buildah inspect --type image --format "$1" "$IMAGE"
}

inside() { # GROUP ROOT VOLUME USER COMMAND...
    set -euo pipefail
    local group=$1 root=$2 volume=$3 user=$4
    shift 4
    if [[ -n $group ]]; then
        echo 0 > "$group/cgroup.procs"
    fi
    mount --bind "$root" "$root"
    mount --bind "$volume" "$root/var/lib/neardup"
    mount --rbind /sys "$root/sys"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -o remount,bind,ro "$root"
    cd "$root"
    exec chroot --userspec="$user" "$root" "$@"
}

case ${1:-} in
    build | base | run) "$@" ;;
    *)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 2
        ;;
esac
