package dev.outpost.channel.lan;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The addresses of this host by which machines of its networks find each other. */
public final class LanAddresses {
    private LanAddresses() {}

    /**
     * Returns one address of each network interface that is up and supports multicast: an IPv4 address if it has one, else an IPv6 one.
     * If no interface qualifies, returns the loopback address.
     *
     * @param configured addresses to use instead, separated by commas; null for none
     * @throws IOException if the interfaces of this host cannot be listed, or a configured address cannot be resolved
     */
    public static List<InetAddress> ofHost(@Nullable String configured) throws IOException {
        if (configured != null) {
            List<InetAddress> said = new ArrayList<>();
            for (String address : configured.split(",")) {
                said.add(InetAddress.getByName(address.strip()));
            }
            return said;
        }
        List<InetAddress> found = new ArrayList<>();
        for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            if (each.isUp() && !each.isLoopback() && each.supportsMulticast() && !each.isPointToPoint()) {
                address(each).ifPresent(found::add);
            }
        }
        return found.isEmpty() ? List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1})) : found;
    }

    private static Optional<InetAddress> address(NetworkInterface network) {
        List<InetAddress> all = Collections.list(network.getInetAddresses());
        return all.stream()
                .filter(Inet4Address.class::isInstance)
                .findFirst()
                .or(() -> all.stream().filter(Inet6Address.class::isInstance).findFirst());
    }

    /** Formats an address as it is written before a port: IPv6 in brackets. */
    public static String text(InetAddress address) {
        String text = address.getHostAddress();
        return text.contains(":") ? "[" + text + "]" : text;
    }

    /** Returns true if two addresses are equal. Their host names do not matter. */
    public static boolean isSame(InetAddress one, InetAddress other) {
        return Arrays.equals(one.getAddress(), other.getAddress());
    }
}
