package dev.outpost.channel.delivery;

/** A thread that is known to wait in {@link ReliableLane#send}. */
final class BlockedSender {
    private final Thread thread;
    private volatile Throwable failure;

    private BlockedSender(ReliableLane lane, byte[] payload) {
        thread = Thread.ofPlatform().daemon().unstarted(() -> send(lane, payload));
    }

    static BlockedSender start(ReliableLane lane, byte[] payload) throws InterruptedException {
        BlockedSender sender = new BlockedSender(lane, payload);
        sender.thread.start();
        while (sender.thread.getState() != Thread.State.WAITING) {
            if (!sender.thread.isAlive()) {
                throw new AssertionError("the sender did not wait");
            }
            Thread.sleep(1);
        }
        return sender;
    }

    void interrupt() {
        thread.interrupt();
    }

    void join() throws InterruptedException {
        thread.join();
    }

    /** The exception of the send, or null. */
    Throwable failure() {
        return failure;
    }

    private void send(ReliableLane lane, byte[] payload) {
        try {
            lane.send(payload);
        } catch (InterruptedException | RuntimeException exception) {
            failure = exception;
        }
    }
}
