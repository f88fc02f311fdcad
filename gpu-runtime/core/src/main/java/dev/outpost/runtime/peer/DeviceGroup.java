package dev.outpost.runtime.peer;

import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs the exchanges of a group between its members' devices. Before a device waits for another one, each member informs the others over
 * the lanes that it has begun the exchange and has its operand. Exchanges start in the order in which they were begun, which is the same on
 * all members. Thread-safe. One thread begins exchanges.
 *
 * <p>The message is the number of the last exchange that the member offers to launch together with this one, or
 * {@link #ALONE}. If the offers differ, the members that made an offer have not confirmed their operands yet, so all
 * members send a second message.
 */
final class DeviceGroup {
    private static final byte[] NOTHING = new byte[0];
    private static final int WORD = 0;
    private static final int SECOND_WORD = 1;
    private static final long ALONE = 0;

    private final DeviceCommunicator communicator;
    private final Duration timeout;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** The numbers above {@link #lastStarted} of exchanges that have started or will never start. The lock guards both fields. */
    private final Set<Long> past = new HashSet<>();

    private long lastStarted;
    private long lastBegun;

    /** @param timeout the longest time of an exchange that has started */
    DeviceGroup(DeviceCommunicator communicator, Duration timeout) {
        this.communicator = communicator;
        this.timeout = timeout;
    }

    DeviceCommunicator communicator() {
        return communicator;
    }

    /** Ends the group because it is broken or closed: exchanges that wait for a device fail. */
    void end() {
        if (isOver.compareAndSet(false, true)) {
            communicator.abort();
        }
    }

    /** @param prepared null if this member prepared no exchange */
    CollectiveBackend backend(DeviceExchange prepared) {
        return new Backend(prepared, null, ++lastBegun);
    }

    CollectiveBackend backend(LaunchGroupOffer offer) {
        return new Backend(null, offer, ++lastBegun);
    }

    /** Records that an exchange has started or will never start. Called under the lock. */
    private void pass(long place) {
        if (place > lastStarted) {
            past.add(place);
        }
        while (past.remove(lastStarted + 1)) {
            lastStarted++;
        }
        changed.signalAll();
    }

    private final class Backend implements CollectiveBackend {
        /** The prepared exchange; null after it has finished, or if this member prepared none. */
        private DeviceExchange prepared;
        /** The offer that the exchange carries; null if there is none. */
        private final LaunchGroupOffer offer;

        private final long place;

        Backend(DeviceExchange prepared, LaunchGroupOffer offer, long place) {
            this.prepared = prepared;
            this.offer = offer;
            this.place = place;
        }

        @Override
        public ExchangeResult exchange(ExchangeRun run) throws InterruptedException, PeerFaultException {
            long[] last = words(run);
            boolean isAnyOffered = Arrays.stream(last).anyMatch(word -> word != ALONE);
            boolean isAgreed = isAnyOffered && Arrays.stream(last).distinct().count() == 1;
            if (offer != null) {
                offer.agree(isAgreed);
            }
            if (isAgreed) {
                await(offer.awaitLaunch(), run);
                return ExchangeResult.inPlace();
            }
            if (isAnyOffered) {
                awaitOperands(run);
            }
            await(startInTurn(), run);
            DeviceExchange exchanged = prepared;
            prepared = null;
            await(exchanged.finish(), run);
            return ExchangeResult.inPlace();
        }

        private void await(Completion done, ExchangeRun run) throws InterruptedException {
            if (!done.await(timeout)) {
                throw new PeerLostException("the devices of members "
                        + run.collective().members() + " have begun to exchange, and did not end within "
                        + timeout.toMillis() + " ms");
            }
            if (done.failure().isPresent()) {
                throw new PeerLostException("the devices of the members did not exchange: "
                        + done.failure().get().getMessage());
            }
        }

        /** Receives the offers of all members. Fails if one has lost its operand. */
        private long[] words(ExchangeRun run) throws InterruptedException, PeerFaultException {
            long[] words = new long[run.size()];
            words[run.self()] = offer == null ? ALONE : offer.last();
            byte[] own =
                    ByteBuffer.allocate(Long.BYTES).putLong(words[run.self()]).array();
            sendToAll(run, WORD, own);
            for (int member = 0; member < run.size(); member++) {
                if (member != run.self()) {
                    words[member] = ByteBuffer.wrap(run.receive(member, WORD, Long.BYTES))
                            .getLong();
                }
            }
            return words;
        }

        /** Waits until all members have confirmed their operands. Fails if one has lost its operand. */
        private void awaitOperands(ExchangeRun run) throws InterruptedException, PeerFaultException {
            if (offer != null) {
                prepared = offer.awaitOperand();
            }
            sendToAll(run, SECOND_WORD, NOTHING);
            for (int member = 0; member < run.size(); member++) {
                if (member != run.self()) {
                    run.receive(member, SECOND_WORD, 0);
                }
            }
        }

        private static void sendToAll(ExchangeRun run, int step, byte[] word) throws InterruptedException {
            for (int member = 0; member < run.size(); member++) {
                if (member != run.self()) {
                    run.send(member, step, word, 0, word.length);
                }
            }
        }

        private Completion startInTurn() throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (lastStarted != place - 1) {
                    changed.await();
                }
                Completion done = prepared.start();
                pass(place);
                return done;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void end() {
            if (prepared != null) {
                prepared.cancel();
                prepared = null;
            }
            if (offer != null) {
                offer.end();
            }
            lock.lock();
            try {
                pass(place);
            } finally {
                lock.unlock();
            }
        }
    }
}
