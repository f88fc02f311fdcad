package dev.outpost.provider.mock;

import dev.outpost.channel.FrameChannel;
import dev.outpost.channel.FrameListener;
import dev.outpost.channel.Lane;
import dev.outpost.runtime.session.RuntimeConnection;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.grant.GrantAccount;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection between a client and the runtime: two lanes in two directions. It ends only once, by either side or by the network.
 */
final class MockConnection implements FrameChannel {
    private static final Logger LOG = LoggerFactory.getLogger(MockConnection.class);

    private final MockMachine machine;
    private final FrameListener listener;
    private final RuntimeConnection runtime;
    private final Map<Lane, Pipe> toMachine;
    private final Map<Lane, Pipe> toClient;
    private final AtomicLong frames = new AtomicLong();
    private final AtomicBoolean over = new AtomicBoolean();

    /** @param number the connection's number on its machine */
    MockConnection(
            MockMachine machine,
            RuntimeHost host,
            GrantAccount grant,
            FrameListener listener,
            MockNetwork network,
            long number) {
        this.machine = machine;
        this.listener = listener;
        this.runtime = host.accept(new ToClient(), grant);
        String name = machine.id() + "-" + number + "-";
        this.toMachine = Lane.each(lane -> new Pipe(name + lane + "-up", network, runtime::onFrame));
        this.toClient = Lane.each(lane -> new Pipe(name + lane + "-down", network, frame -> deliver(lane, frame)));
    }

    @Override
    public void send(Lane lane, byte[] frame) {
        if (!over.get()) {
            toMachine.get(lane).put(frame);
            machine.countFromClient(this, frames.incrementAndGet());
        }
    }

    /** Closes the connection for the client. Frames that the client sent still arrive; frames on their way to it are lost. */
    @Override
    public void close(String reason) {
        if (over.compareAndSet(false, true)) {
            machine.forget(this);
            stop(toClient);
            afterAll(toMachine, () -> {
                stop(toMachine);
                runtime.onClosed();
            });
        }
    }

    /** Breaks the connection, as the network does: frames on their way are lost, and both sides are notified. */
    void cut(String reason) {
        if (over.compareAndSet(false, true)) {
            machine.forget(this);
            stop(toMachine);
            stop(toClient);
            // Use another thread: the thread that sends the fatal frame may hold a lock that the other side needs in
            // its handler.
            Thread.ofVirtual().start(() -> {
                runtime.onClosed();
                notifyClient(reason);
            });
        }
    }

    /** Closes the connection for the runtime. Frames that the runtime sent still arrive. */
    private void closeFromMachine(String reason) {
        if (over.compareAndSet(false, true)) {
            machine.forget(this);
            stop(toMachine);
            afterAll(toClient, () -> {
                stop(toClient);
                Thread.ofVirtual().start(() -> notifyClient(reason));
            });
        }
    }

    private void notifyClient(String reason) {
        try {
            for (Pipe pipe : toClient.values()) {
                pipe.join();
            }
            listener.onClosed(reason);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliver(Lane lane, byte[] frame) {
        try {
            listener.onFrame(lane, frame);
        } catch (RuntimeException failure) {
            LOG.error("the client failed on a frame of {}", machine.id(), failure);
            cut("the client failed on a frame: " + failure);
        }
    }

    private static void stop(Map<Lane, Pipe> pipes) {
        pipes.values().forEach(Pipe::stop);
    }

    private static void afterAll(Map<Lane, Pipe> pipes, Runnable action) {
        AtomicInteger left = new AtomicInteger(pipes.size());
        for (Pipe pipe : pipes.values()) {
            pipe.afterAll(() -> {
                if (left.decrementAndGet() == 0) {
                    action.run();
                }
            });
        }
    }

    private final class ToClient implements FrameChannel {
        @Override
        public void send(Lane lane, byte[] frame) {
            if (!over.get()) {
                toClient.get(lane).put(frame);
                machine.countFromMachine(MockConnection.this, frames.incrementAndGet());
            }
        }

        @Override
        public void close(String reason) {
            closeFromMachine(reason);
        }
    }
}
