package dev.outpost.relay;

/** The reason why a connection was not passed on. */
enum RefusalReason {
    /** The limit of all connections is reached. */
    FULL,

    /** The limit of the client's address is reached. */
    PEER,

    /** The connection does not begin with a TLS ClientHello, or has too many bytes before the server name. */
    HELLO,

    /** The server name was not received in time. */
    SLOW,

    /** The ClientHello has no server name, or a name without a valid signature of the backend. */
    NAME,

    /** The relay may not connect to the machine's address. */
    TARGET,

    /** The machine does not accept the connection. */
    UNREACHABLE
}
