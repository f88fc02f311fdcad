package dev.outpost.runtime.peer;

import dev.outpost.runtime.engine.Completion;
import dev.outpost.runtime.engine.DeviceCommunicator;
import dev.outpost.runtime.engine.DeviceExchange;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The exchanges of a group by its members' devices. The members tell each other by their lanes that they have begun an exchange, and
 * that none has lost its operand, before any device waits for another one. Exchanges start in the order in which they were begun, which
 * is the same on all members. Thread-safe; exchanges are begun by one thread.
 */
final class DeviceGroup {
    private static final byte[] NOTHING = new byte[0];

    private final DeviceCommunicator communicator;
    private final Duration patience;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Places behind {@link #lastStarted} that are not waited for. Guarded by the lock, as is that. */
    private final Set<Long> past = new HashSet<>();

    private long lastStarted;
    private long lastBegun;

    /** @param patience how long an exchange that has started may take */
    DeviceGroup(DeviceCommunicator communicator, Duration patience) {
        this.communicator = communicator;
        this.patience = patience;
    }

    DeviceCommunicator communicator() {
        return communicator;
    }

    /** The group is broken or closed: what waits on a device fails. */
    void end() {
        if (isOver.compareAndSet(false, true)) {
            communicator.abort();
        }
    }

    /** @param prepared null where this member has nothing to give */
    CollectiveBackend backend(DeviceExchange prepared) {
        return new Backend(prepared, ++lastBegun);
    }

    /** An exchange has started, or never will. Under the lock. */
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
        /** Null once it was finished, or where there is none. */
        private DeviceExchange prepared;

        private final long place;

        Backend(DeviceExchange prepared, long place) {
            this.prepared = prepared;
            this.place = place;
        }

        @Override
        public Exchanged exchange(ExchangeRun run) throws InterruptedException, HeardFaultException {
            awaitOperands(run);
            await(startInTurn(), run);
            DeviceExchange exchanged = prepared;
            prepared = null;
            await(exchanged.finish(), run);
            return Exchanged.inPlace();
        }

        private void await(Completion done, ExchangeRun run) throws InterruptedException {
            if (!done.await(patience)) {
                throw new PeerLostException("the devices of members "
                        + run.collective().members() + " have begun to exchange, and did not end within "
                        + patience.toMillis() + " ms");
            }
            if (done.failure().isPresent()) {
                throw new PeerLostException("the devices of the members did not exchange: "
                        + done.failure().get().getMessage());
            }
        }

        /** All members hear from all others that they give something, or that one does not. */
        private void awaitOperands(ExchangeRun run) throws InterruptedException, HeardFaultException {
            for (int member = 0; member < run.size(); member++) {
                if (member != run.self()) {
                    run.send(member, 0, NOTHING, 0, 0);
                }
            }
            for (int member = 0; member < run.size(); member++) {
                if (member != run.self()) {
                    run.receive(member, 0, 0);
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
            lock.lock();
            try {
                pass(place);
            } finally {
                lock.unlock();
            }
        }
    }
}
