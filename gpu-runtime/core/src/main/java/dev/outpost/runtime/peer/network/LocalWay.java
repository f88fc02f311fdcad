package dev.outpost.runtime.peer.network;

/** The ways between members of one user on one host. Two members use the best one that both have. */
public enum LocalWay {
    /** TCP with TLS, as to other hosts. */
    TLS,
    /** A Unix socket. */
    UNIX_SOCKET,
    /** A Unix socket for what is said, and memory of both for large elements. */
    SHARED_MEMORY
}
