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
     * @param isOfAll true if the limit of all addresses together was reached; false if the limit of this address was
     *     reached
     * @param delay the time after which another attempt may succeed
     */
    public record Refusal(boolean isOfAll, Duration delay) {}

    /**
     * Makes a guard.
     *
     * @param perSecond the number of events of one address that are allowed each second, on average
     * @param burst the number of events of one address that are allowed at once
     * @param perSecondOfAll the number of events of all addresses that are allowed each second, on average
     * @param burstOfAll the number of events of all addresses that are allowed at once
     * @param nanos a monotonic clock, in nanoseconds
     */
    public AddressGuard(double perSecond, int burst, double perSecondOfAll, int burstOfAll, LongSupplier nanos) {
        this.addresses = new RateLimiter(perSecond, burst, nanos);
        this.all = new RateLimiter(perSecondOfAll, burstOfAll, nanos);
    }

    /**
     * Counts an event of an address, or refuses it if a limit is reached. Call this before the event, so that
     * simultaneous events are counted too.
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

    /** Removes a counted event from the count, because it was harmless. */
    public void refund(String address) {
        addresses.refund(network(address));
        all.refund(ALL);
    }

    private static String network(String address) {
        if (!address.contains(":")) {
            return address;
        }
        try {
            // A text with a colon is never a host name for Java, so this does not query a name server.
            InetAddress read = InetAddress.getByName(address.replaceFirst("%.*", ""));
            return read instanceof Inet6Address
                    ? HexFormat.of().formatHex(Arrays.copyOf(read.getAddress(), NETWORK_BYTES))
                    : read.getHostAddress();
        } catch (UnknownHostException ignored) {
            return address;
        }
    }
}
