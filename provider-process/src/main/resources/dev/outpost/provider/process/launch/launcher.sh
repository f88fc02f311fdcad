# Becomes a process of a machine. It works in the machine's folder:
#
#   launcher FOLDER MARK VIEW PRIVILEGES UID GID GPU  READS PATH...  WRITES PATH...  COMMAND...
#
#   MARK        the file that names the process; of two processes with one mark the second goes away
#   VIEW        "host" leaves the file systems as they are; "own" shows only what is named here, and "own-host-tmp" the same
#               without a /tmp of its own, since /tmp is among the paths. The two must be started in mount, PID and IPC
#               namespaces of their own, where they have CAP_SYS_ADMIN
#   PRIVILEGES  "keep"; "switch" becomes UID, as root; "map" becomes UID in another user namespace
#   GPU         the device file of the only GPU that is shown; none where it is empty
#   READS       how many paths follow that are shown read-only; WRITES of those that may be written
umask 077
trap '' INT HUP
cd "$1" || exit 1
here=$(pwd -P)
mark=$2 view=$3 privileges=$4 uid=$5 gid=$6 gpu=$7 reads=$8
shift 8

fail() {
    echo "outpost: this host cannot keep the process apart: $*" >&2
    exit 1
}

# The number and the time of start as the namespace sees them whose /proc this is: that of the launching program.
# The second line of the mark is what the class Birth reads.
if [ -r /proc/self/stat ]; then
    read -r stat </proc/self/stat
    pid=${stat%% *}
    birth() {
        set -- ${stat##*) }
        shift 19
        boot=
        [ ! -r /proc/sys/kernel/random/boot_id ] || read -r boot </proc/sys/kernel/random/boot_id
        echo "$1" $boot
    }
else
    pid=$$
    birth() { LC_ALL=C TZ=UTC ps -o lstart= -p $$; }
fi
printf '%s\n' "$pid" "$(birth)" >".$mark-$pid"
# A link is made whole, and never over another.
ln ".$mark-$pid" "$mark" 2>/dev/null
first=$?
rm -f ".$mark-$pid"
[ $first -eq 0 ] || exit 0
if [ "$mark" = process ]; then
    exec </dev/null >>out 2>>log
else
    exec </dev/null >>log 2>>log
fi

# Shows a path that is not visible yet. A file that is visible must not be made again, since that would empty it.
show() {
    if [ -e "$root$1" ]; then
        return
    elif [ -d "$1" ]; then
        mkdir -p "$root$1" && mount --rbind "$1" "$root$1" || fail "$1 cannot be shown"
    elif [ -e "$1" ]; then
        mkdir -p "$root${1%/*}" && : >"$root$1" && mount --bind "$1" "$root$1" || fail "$1 cannot be shown"
    fi
}

# A link to a file, such as one to the program of a JDK, stays one: the program looks for its parts where it leads.
show_or_link() {
    if [ -L "$1" ] && [ ! -d "$1" ] && [ ! -e "$root$1" ]; then
        target=$(readlink -f "$1")
        show "$target"
        mkdir -p "$root${1%/*}" && ln -s "$target" "$root$1" || fail "$1 cannot be shown"
    else
        show "$1"
    fi
}

show_system() {
    for path in /bin /sbin /lib /lib32 /lib64 /libx32; do
        if [ -L "$path" ]; then ln -s "$(readlink "$path")" "$root$path"; else show "$path"; fi
    done
    for path in /usr /nix/store /sys /etc/alternatives /etc/ca-certificates* /etc/crypto-policies /etc/fonts /etc/gai.conf \
        /etc/host.conf /etc/hostname /etc/hosts /etc/java* /etc/ld.so.cache /etc/ld.so.conf* /etc/localtime /etc/mime.types \
        /etc/nsswitch.conf /etc/nccl.conf /etc/OpenCL /etc/pki/ca-trust /etc/pki/java /etc/pki/tls/cert.pem \
        /etc/pki/tls/certs /etc/protocols /etc/resolv.conf /etc/services /etc/ssl/certs /etc/ssl/openssl.cnf /etc/timezone; do
        if [ ! -L "$path" ]; then
            show "$path"
        else
            # A link into the system is kept, since its text may count, as that of the time zone does.
            case $(readlink "$path") in
                /usr/* | ../usr/*) mkdir -p "$root${path%/*}" && ln -s "$(readlink "$path")" "$root$path" ;;
                *) show "$path" ;;
            esac
        fi
    done
    mkdir -p "$root/etc"
    printf '%s\n' 'root:x:0:0:root:/root:/bin/sh' "outpost:x:$uid:$gid:outpost:$here/job:/bin/sh" >"$root/etc/passwd"
    printf '%s\n' 'root:x:0:' "outpost:x:$gid:" >"$root/etc/group"
}

show_devices() {
    mkdir "$root/dev" && mount -t tmpfs -o mode=755,nosuid outpost "$root/dev" || fail "/dev cannot be made"
    for path in /dev/null /dev/zero /dev/full /dev/random /dev/urandom /dev/infiniband; do
        show "$path"
    done
    # Without its device file no GPU can be used, so those of other machines cannot.
    if [ -n "$gpu" ]; then
        for path in "$gpu" /dev/nvidiactl /dev/nvidia-*; do
            show "$path"
        done
    fi
    ln -s /proc/self/fd "$root/dev/fd"
    mkdir "$root/dev/shm" && mount -t tmpfs -o mode=1777,nosuid,nodev outpost "$root/dev/shm" || fail "/dev/shm cannot be made"
    mkdir "$root/proc" && mount -t proc -o nosuid,nodev,noexec proc "$root/proc" || fail "/proc cannot be mounted"
}

# A machine's folder is shown without those of others. Only what was made for the process can be written.
show_folder() {
    state=${here%/*}
    if [ -e "$root$state" ]; then
        mount -t tmpfs -o mode=755,nosuid,nodev outpost "$root$state" || fail "$state cannot be hidden"
    fi
    mkdir -p "$root$here" && mount --bind "$here" "$root$here" || fail "$here cannot be shown"
    for path in job end crash; do
        mount --bind "$here/$path" "$root$here/$path" || fail "$here/$path cannot be shown"
        writable="$writable$root$here/$path|"
    done
}

# The other options of a mount are kept: a user namespace may not change them.
protect() {
    mounts=$(cat /proc/self/mountinfo)
    while read -r _ _ _ _ at options _; do
        case $at in
            # The last is a copy of this view, hidden below the machine's folder.
            "$root/proc" | "$root/dev/shm" | "$root$here/root" | "$root$here/root"/*) continue ;;
            "$root"/*) ;;
            *) continue ;;
        esac
        case $writable in
            *"|$at|"*) ;;
            *) mount -o "remount,bind,ro${options#r[wo]}" "$at" || fail "$at cannot be protected" ;;
        esac
    done <<MOUNTS
$mounts
MOUNTS
}

enter() {
    mkdir "$root/old" && cd "$root" && pivot_root . old && cd / && umount -l /old &&
        mount -o remount,bind,ro,nosuid,nodev / && cd "$here" || fail "the view cannot be entered"
}

writable="|"
if [ "$view" != host ]; then
    PATH=$PATH:/usr/sbin:/usr/bin:/sbin:/bin
    root=$here/root
    umask 022
    mount -t tmpfs -o mode=755,nosuid,nodev outpost "$root" || fail "no file system can be mounted"
    show_system
    # What is shown later may lie below /tmp. This folder is of this mark alone, so nobody has changed it by then.
    if [ "$view" = own ]; then
        mkdir "$root/tmp" && mount --bind "$here/tmp-$mark" "$root/tmp" || fail "/tmp cannot be made"
        writable="|$root/tmp|"
    fi
fi
while [ "$reads" -gt 0 ]; do
    [ "$view" = host ] || show_or_link "$1"
    shift
    reads=$((reads - 1))
done
writes=$1
shift
while [ "$writes" -gt 0 ]; do
    if [ "$view" != host ] && [ -d "$1" ]; then
        # A user namespace may not show a folder without what is mounted below it on the host.
        mkdir -p "$root$1" && { mount --bind "$1" "$root$1" 2>/dev/null || mount --rbind "$1" "$root$1"; } ||
            fail "$1 cannot be shown"
        writable="$writable$root$1|"
    fi
    shift
    writes=$((writes - 1))
done
if [ "$view" != host ]; then
    show_devices
    show_folder
    protect
    enter
    umask 077
fi
# A session of its own. Without a PID namespace its process group is what holds it together with its children. With one, "kill 0" would
# otherwise reach the launching program, since the kernel signals a process group across namespaces.
if command -v setsid >/dev/null; then
    session=setsid
else
    [ "$view" = host ] || fail "setsid is not installed"
    session=
fi
case $privileges in
    switch)
        exec $session setpriv --reuid="$uid" --regid="$gid" --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all -- "$@"
        ;;
    map) exec $session unshare --user --map-user="$uid" --map-group="$gid" -- setpriv --no-new-privs -- "$@" ;;
    *) exec $session "$@" ;;
esac
