package dev.outpost.runtime.peer;

/**
 * Transports the elements of one exchange. All members choose the same backend, because the choice depends on the
 * exchange alone.
 */
interface CollectiveBackend {
    /** Sends the elements to the other members, and receives theirs. */
    ExchangeResult exchange(ExchangeRun run) throws InterruptedException, PeerFaultException;

    /** Ends the exchange, whether it succeeded, failed or never began. Called once. */
    void end();
}
