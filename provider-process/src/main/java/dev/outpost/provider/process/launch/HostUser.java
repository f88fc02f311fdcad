package dev.outpost.provider.process.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A user of this host, by user and group id. */
record HostUser(int uid, int gid) {
    /** An entry whose owner is the user of the process that reads it. */
    private static final Path OWN = Path.of("/proc/self");

    /** Returns the user of this process. If the system does not show it, the ids are -1, which is not root. */
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
