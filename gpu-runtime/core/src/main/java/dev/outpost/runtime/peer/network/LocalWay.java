package dev.outpost.runtime.peer.network;

/** The transports between members of one user on one host. Two members use the best one that both support. */
public enum LocalWay {
    /** TCP with TLS, as to other hosts. */
    TLS,
    /** A Unix socket. */
    UNIX_SOCKET,
    /** A Unix socket for messages, and shared memory for large elements. */
    SHARED_MEMORY
}
