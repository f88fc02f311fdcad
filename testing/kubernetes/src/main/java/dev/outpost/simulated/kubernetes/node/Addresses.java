package dev.outpost.simulated.kubernetes.node;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Loopback addresses of this host for one cluster: pods have fixed ports, so each pod needs its own address. Linux answers on all of
 * 127.0.0.0/8.
 */
public final class Addresses implements AutoCloseable {
    private static final int LOCK_PORT = 6442;
    private static final int FIRST_POD = 2;
    private static final int LAST = 253;
    private static final int ATTEMPTS = 20;

    private final String network;
    private final ServerSocket lock;
    private final AtomicInteger pods = new AtomicInteger(FIRST_POD);

    private Addresses(String network, ServerSocket lock) {
        this.network = network;
        this.lock = lock;
    }

    /** Reserves 256 addresses that no other cluster on this host uses. */
    public static Addresses take() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            String network = "127." + random.nextInt(1, 255) + "." + random.nextInt(256) + ".";
            try {
                return new Addresses(network, lock(network + "254"));
            } catch (IOException ignored) {
                // Another cluster uses these addresses, so others are drawn.
                continue;
            }
        }
        throw new IllegalStateException("addresses: none of " + ATTEMPTS + " networks of loopback could be had");
    }

    private static ServerSocket lock(String address) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getByName(address), LOCK_PORT));
            return socket;
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
    }

    public String ofServer() {
        return network + "1";
    }

    /** Returns the address that was unused for the longest time. */
    String next() {
        return network + pods.getAndUpdate(last -> last == LAST ? FIRST_POD : last + 1);
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
