#!/bin/sh
# The start of a machine, as root in its namespaces: its own root over this machine's, then a service as its user.
#   boot.sh FOLDER NAME USER ro|rw COMMAND …
# FOLDER holds `mounts` (source, place and ro|rw, a line each), `hosts`, `secrets/` and `environment`.
set -eu
folder=$1 name=$2 user=$3 mode=$4
shift 4

hostname "$name"
ip link set lo up
until ip -4 -o addr show dev eth0 2>/dev/null | grep -q inet; do sleep 0.02; done

base=$folder/base
mkdir -p "$base"
mount -t tmpfs tmpfs "$base"
mkdir "$base/upper" "$base/work" "$base/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$base/upper,workdir=$base/work" "$base/root"
root=$base/root
while read -r source place write; do
	mkdir -p "$(dirname "$root$place")"
	if [ -d "$source" ]; then mkdir -p "$root$place"; else touch "$root$place"; fi
	mount --rbind "$source" "$root$place"
	[ "$write" = rw ] || mount -o remount,bind,ro "$root$place"
done <"$folder/mounts"

mkdir -p "$root/run/secrets"
cp "$folder/hosts" "$root/etc/hosts"
cp -R "$folder/files/." "$root/"
grep -q ":$user:" "$root/etc/passwd" || echo "$name:x:$user:$user::/tmp:/bin/sh" >>"$root/etc/passwd"
# Where this machine's Python is root's own, the service has to get there.
chmod a+x "$root/root"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
[ "$mode" = rw ] || mount -o remount,ro "$root"

cd "$root"
pivot_root . .
umount -l .
cd /
[ ! -d /opt/second-reader ] || cd /opt/second-reader
# The first process collects orphans; it is killed, and everything with it, where the machine is to die.
setpriv --reuid "$user" --regid "$user" --clear-groups --no-new-privs --bounding-set=-all env -i "$@" &
wait $!
