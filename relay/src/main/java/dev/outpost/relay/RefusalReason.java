package dev.outpost.relay;

/** Why a connection was not passed on. */
enum RefusalReason {
    /** There are as many connections as there may be. */
    FULL,

    /** Its address has as many connections as one may have. */
    PEER,

    /** It does not begin as TLS does, or too much of it comes before the server name. */
    HELLO,

    /** The server name did not come in time. */
    SLOW,

    /** It names no server, or one that the backend has not signed. */
    NAME,

    /** The machine's address is none to which this relay connects. */
    TARGET,

    /** The machine does not take the connection. */
    UNREACHABLE
}
