package dev.outpost.backend.outbound;

import dev.outpost.channel.address.PublicAddresses;
import dev.outpost.channel.address.PublicAddresses.ForbiddenException;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Resolves and checks host names within a timeout. The JDK's resolver has no timeout and blocks the carrier of a
 * virtual thread, so this class uses its own platform threads. Thread-safe.
 */
final class NameResolver implements AutoCloseable {
    private static final Duration THREAD_LIFE = Duration.ofSeconds(10);

    private final Lookup lookup;
    private final ExecutorService threads;

    /** Resolves and checks a name, without a timeout. */
    @FunctionalInterface
    interface Lookup {
        PublicAddresses.Checked resolve(String host) throws UnknownHostException, ForbiddenException;
    }

    /** @param atOnce the maximum number of names that are resolved at a time; more are refused */
    NameResolver(Lookup lookup, int atOnce) {
        this.lookup = lookup;
        this.threads = new ThreadPoolExecutor(
                0,
                atOnce,
                THREAD_LIFE.toSeconds(),
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name("outpost-resolver-", 0).factory());
    }

    /**
     * Returns the checked addresses of a host.
     *
     * @throws UnknownHostException if the host has no address
     * @throws ForbiddenException if one of the addresses may not be called
     * @throws IOException if the name was not resolved in time; the message says so
     */
    PublicAddresses.Checked resolve(String host, long nanos)
            throws IOException, ForbiddenException, InterruptedException {
        try {
            Future<PublicAddresses.Checked> found = threads.submit(() -> lookup.resolve(host));
            return found.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException timeout) {
            throw new IOException("its name was not resolved in time", timeout);
        } catch (RejectedExecutionException rejected) {
            throw new IOException("too many names are being resolved; try again later", rejected);
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case UnknownHostException unknown -> throw unknown;
                case ForbiddenException forbidden -> throw forbidden;
                default -> throw new IllegalStateException(failure.getCause());
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
