package dev.outpost.relay;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Limits the concurrent connections of one address. For IPv6 it counts by /64 network, because one peer usually has a
 * whole /64 network.
 */
final class PeerLimit {
    private static final int NETWORK_BYTES = 8;

    private final int atMax;
    private final ConcurrentMap<InetAddress, Integer> counts = new ConcurrentHashMap<>();

    PeerLimit(int atMax) {
        this.atMax = atMax;
    }

    boolean tryEnter(InetAddress address) {
        boolean[] entered = new boolean[1];
        counts.compute(peer(address), (peer, count) -> {
            int now = count == null ? 0 : count;
            entered[0] = now < atMax;
            return entered[0] ? Integer.valueOf(now + 1) : count;
        });
        return entered[0];
    }

    void leave(InetAddress address) {
        counts.computeIfPresent(peer(address), (peer, count) -> count == 1 ? null : Integer.valueOf(count - 1));
    }

    private static InetAddress peer(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] bytes = address.getAddress();
        Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
