package dev.outpost.runtime.peer;

/** By the lanes between the members: over TCP with TLS, a Unix socket, or within a process. Sums are taken by the hosts. */
final class LaneBackend implements CollectiveBackend {
    static final LaneBackend INSTANCE = new LaneBackend();

    private LaneBackend() {}

    @Override
    public ExchangeResult exchange(ExchangeRun run) throws InterruptedException, PeerFaultException {
        return ExchangeResult.of(PartExchange.of(run));
    }

    @Override
    public void end() {
        // It holds nothing.
    }
}
