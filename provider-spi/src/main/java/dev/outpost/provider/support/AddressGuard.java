package dev.outpost.provider.support;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Limits how often each address, and all addresses together, may do something, such as show a key that does not exist. An IPv6 address
 * counts as its network of 64 bits, because one host may have all addresses of such a network. Thread-safe.
 */
public final class AddressGuard {
    private static final String ALL = "";
    private static final int NETWORK_BYTES = 8;

    private final RateLimiter addresses;
    private final RateLimiter all;

    /**
     * A refusal.
     *
     * @param isOfAll true if all addresses together were too many; false if this address was
     * @param delay the time until it is worth trying again
     */
    public record Refusal(boolean isOfAll, Duration delay) {}

    /**
     * Makes a guard.
     *
     * @param perSecond events of one address that are let through each second, in the long run
     * @param burst events of one address that are let through at once
     * @param perSecondOfAll events of all addresses that are let through each second, in the long run
     * @param burstOfAll events of all addresses that are let through at once
     * @param nanos a monotonic clock, in nanoseconds
     */
    public AddressGuard(double perSecond, int burst, double perSecondOfAll, int burstOfAll, LongSupplier nanos) {
        this.addresses = new RateLimiter(perSecond, burst, nanos);
        this.all = new RateLimiter(perSecondOfAll, burstOfAll, nanos);
    }

    /**
     * Counts an event of an address, unless it is one too many. Call it before the event, so that many events at once are counted, too.
     *
     * @param address an IPv4 or IPv6 address as text
     * @return empty if the event may happen
     */
    public Optional<Refusal> take(String address) {
        String network = network(address);
        Optional<Duration> own = addresses.take(network);
        if (own.isPresent()) {
            return Optional.of(new Refusal(false, own.get()));
        }
        Optional<Duration> others = all.take(ALL);
        others.ifPresent(wait -> addresses.refund(network));
        return others.map(wait -> new Refusal(true, wait));
    }

    /** Takes back an event that was counted, because it was harmless. */
    public void refund(String address) {
        addresses.refund(network(address));
        all.refund(ALL);
    }

    private static String network(String address) {
        if (!address.contains(":")) {
            return address;
        }
        try {
            // Java reads no name that has a colon, so this asks no name server.
            InetAddress read = InetAddress.getByName(address.replaceFirst("%.*", ""));
            return read instanceof Inet6Address
                    ? HexFormat.of().formatHex(Arrays.copyOf(read.getAddress(), NETWORK_BYTES))
                    : read.getHostAddress();
        } catch (UnknownHostException ignored) {
            return address;
        }
    }
}
