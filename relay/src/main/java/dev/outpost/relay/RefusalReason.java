package dev.outpost.relay;

/** The reason why a connection was not passed on. */
enum RefusalReason {
    /** The limit of all connections is reached. */
    FULL,

    /** The limit of its address is reached. */
    PEER,

    /** It does not begin as TLS does, or has too many bytes before the server name. */
    HELLO,

    /** The server name did not come in time. */
    SLOW,

    /** It names no server, or a server name without a valid signature of the backend. */
    NAME,

    /** The machine's address is not one that this relay may connect to. */
    TARGET,

    /** The machine does not accept the connection. */
    UNREACHABLE
}
