package dev.outpost.bench.lan;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A link between two devices that delays frames, like {@code netem delay}, which not every kernel has. */
final class DelayedLink implements AutoCloseable {
    /** The most frames in transit; further ones are lost. */
    private static final int MAX_FRAMES = 8192;

    private static final long LOOK_MILLIS = 100;

    private record Passing(long due, byte[] frame) {}

    private final TapDevice one;
    private final TapDevice other;
    private final Duration delay;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isClosed;

    private DelayedLink(TapDevice one, TapDevice other, Duration delay) {
        this.one = one;
        this.other = other;
        this.delay = delay;
    }

    /** @param delay the delay of each frame, in either direction */
    static DelayedLink open(String one, String other, Duration delay) throws IOException {
        DelayedLink link = new DelayedLink(TapDevice.open(one), TapDevice.open(other), delay);
        link.pass(link.one, link.other);
        link.pass(link.other, link.one);
        return link;
    }

    private void pass(TapDevice from, TapDevice to) {
        BlockingQueue<Passing> cable = new ArrayBlockingQueue<>(MAX_FRAMES);
        threads.add(Thread.ofPlatform().daemon().start(() -> take(from, cable)));
        threads.add(Thread.ofPlatform().daemon().start(() -> deliver(cable, to)));
    }

    private void take(TapDevice from, BlockingQueue<Passing> cable) {
        try {
            while (!isClosed) {
                byte[] frame = from.read();
                if (frame != null) {
                    cable.offer(new Passing(System.nanoTime() + delay.toNanos(), frame));
                }
            }
        } catch (IOException ignored) {
            isClosed = true;
        }
    }

    private void deliver(BlockingQueue<Passing> cable, TapDevice to) {
        try {
            while (!isClosed) {
                Passing next = cable.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (next != null) {
                    awaitTime(next.due);
                    to.write(next.frame);
                }
            }
        } catch (IOException ignored) {
            isClosed = true;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitTime(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("lan: interrupted", interrupted);
        }
        one.close();
        other.close();
    }
}
