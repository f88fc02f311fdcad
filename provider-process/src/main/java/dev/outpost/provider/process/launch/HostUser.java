package dev.outpost.provider.process.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A user of this host, by numbers. */
record HostUser(int uid, int gid) {
    /** It belongs to the process that looks. */
    private static final Path OWN = Path.of("/proc/self");

    /** The user of this process; somebody who is not root where the system does not tell. */
    static HostUser ofThisProcess() {
        try {
            return new HostUser((int) Files.getAttribute(OWN, "unix:uid"), (int) Files.getAttribute(OWN, "unix:gid"));
        } catch (IOException ignored) {
            return new HostUser(-1, -1);
        }
    }

    boolean isRoot() {
        return uid == 0;
    }
}
