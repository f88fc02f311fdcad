package dev.outpost.simulated.kubernetes.node;

/**
 * The end of a container.
 *
 * @param reason the reason in the kubelet's words
 * @param message its last message; empty if it left none
 */
record Exit(int code, String reason, String message) {
    static final int KILLED = 137;

    static Exit of(int code, String message) {
        return new Exit(code, code == 0 ? "Completed" : "Error", message);
    }

    static Exit outOfMemory() {
        return new Exit(KILLED, "OOMKilled", "");
    }

    static Exit killed() {
        return of(KILLED, "");
    }
}
