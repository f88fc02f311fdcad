package dev.outpost.provider.process.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A user of this host, by user and group id. */
record HostUser(int uid, int gid) {
    /** The owner of this entry is the user of the process that reads it. */
    private static final Path OWN = Path.of("/proc/self");

    /** The user of this process; ids of -1, which is not root, if the system does not tell. */
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
