package dev.outpost.channel.address;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The addresses that may be called on behalf of strangers: public addresses of the internet, and those that an
 * operator allows. Other addresses, such as that of a metadata service, are refused, because services there often
 * trust all hosts of their network. Thread-safe.
 *
 * @param allowed blocks of addresses that an operator allows
 * @param allowedHosts names of hosts that an operator allows, in lower case
 */
public record PublicAddresses(List<AddressBlock> allowed, List<String> allowedHosts) {
    private static final String TABLE = "special-purpose-addresses.csv";
    private static final String REACHABLE = "reachable";
    private static final List<Row> ROWS = rows();

    /** Allows only the public addresses of the internet. */
    public static final PublicAddresses ONLY = new PublicAddresses(List.of(), List.of());

    private record Row(AddressBlock block, String name) {}

    public PublicAddresses {
        allowed = List.copyOf(allowed);
        allowedHosts = List.copyOf(allowedHosts);
    }

    /**
     * @param text blocks, addresses and names of hosts with commas between them
     * @throws IllegalArgumentException if an item is malformed; the message contains the item
     */
    public static PublicAddresses allowing(String text) {
        List<AddressBlock> blocks = new ArrayList<>();
        List<String> hosts = new ArrayList<>();
        for (String entry : Arrays.stream(text.split(",")).map(String::strip).toList()) {
            if (entry.matches("[A-Za-z0-9.-]*[A-Za-z][A-Za-z0-9.-]*")) {
                hosts.add(entry.toLowerCase(java.util.Locale.ROOT));
            } else if (!entry.isEmpty()) {
                blocks.add(AddressBlock.parse(entry));
            }
        }
        return new PublicAddresses(blocks, hosts);
    }

    private static List<Row> rows() {
        try (BufferedReader table = new BufferedReader(
                new InputStreamReader(PublicAddresses.class.getResourceAsStream(TABLE), StandardCharsets.UTF_8))) {
            return table.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(",", 2))
                    .map(parts -> new Row(AddressBlock.parse(parts[0]), parts[1]))
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /**
     * A host that was resolved and checked. Connect to these addresses, not to the name, which may resolve to other
     * addresses later.
     */
    public record Checked(String host, List<InetAddress> addresses) {}

    /**
     * Resolves a host, and checks all its addresses.
     *
     * @throws UnknownHostException if the host has no address; the message begins with the host
     * @throws ForbiddenException if one of them may not be called
     */
    public Checked resolve(String host) throws UnknownHostException, ForbiddenException {
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        List<InetAddress> addresses = List.of(InetAddress.getAllByName(name));
        for (InetAddress address : addresses) {
            Optional<String> reason = refusal(name, address);
            if (reason.isPresent()) {
                throw new ForbiddenException(host + " is " + address.getHostAddress() + ", no address of the internet ("
                        + reason.get() + ")");
            }
        }
        return new Checked(name, addresses);
    }

    private Optional<String> refusal(String host, InetAddress address) {
        boolean isAllowed = allowedHosts.contains(host.toLowerCase(java.util.Locale.ROOT))
                || allowed.stream().anyMatch(block -> block.contains(address));
        return isAllowed ? Optional.empty() : special(address);
    }

    /** True if an operator allows the host by its name, or all its addresses by blocks. */
    public boolean isAllowedBesides(Checked checked) {
        return allowedHosts.contains(checked.host().toLowerCase(java.util.Locale.ROOT))
                || checked.addresses().stream()
                        .allMatch(address -> allowed.stream().anyMatch(block -> block.contains(address)));
    }

    /** Returns the special purpose of an address that is not public; empty for public addresses. */
    static Optional<String> special(InetAddress address) {
        return ROWS.stream()
                .filter(row -> row.block().contains(address))
                .max(java.util.Comparator.comparingInt(row -> row.block().bits()))
                .map(Row::name)
                .filter(name -> !name.equals(REACHABLE));
    }

    /** An address that may not be called. */
    public static final class ForbiddenException extends Exception {
        private static final long serialVersionUID = 1;

        ForbiddenException(String message) {
            super(message);
        }
    }
}
