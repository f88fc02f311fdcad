package dev.outpost.runtime.peer;

/**
 * Exchanges over the lanes between the members: TCP with TLS, a Unix socket, or memory of one process. The hosts add
 * the sums.
 */
final class LaneBackend implements CollectiveBackend {
    static final LaneBackend INSTANCE = new LaneBackend();

    private LaneBackend() {}

    @Override
    public ExchangeResult exchange(ExchangeRun run) throws InterruptedException, PeerFaultException {
        return ExchangeResult.of(PartExchange.of(run));
    }

    @Override
    public void end() {
        // It holds no resources.
    }
}
