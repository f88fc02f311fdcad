package dev.outpost.runtime.peer;

/** The way of the elements of one exchange. All members take the same one, which follows from what is exchanged alone. */
interface CollectiveBackend {
    /** Brings the elements to the other members, and gets theirs. */
    ExchangeResult exchange(ExchangeRun run) throws InterruptedException, PeerFaultException;

    /** The exchange is over, whatever came of it, or was never begun. Called once. */
    void end();
}
