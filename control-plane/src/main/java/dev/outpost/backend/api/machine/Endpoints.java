package dev.outpost.backend.api.machine;

import dev.outpost.backend.api.Problem;
import dev.outpost.backend.model.Machine;
import dev.outpost.backend.store.ClusterRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.relay.name.RelayNames;
import dev.outpost.rest.machine.MachineView.EndpointView;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The addresses at which clients reach machines: the machine's own address, or the address of its cluster's relay
 * with a server name that this class signs.
 */
public final class Endpoints {
    private static final Pattern ADDRESS = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([A-Za-z0-9.-]+)):(\\d{1,5})");
    private static final int LAST_PORT = 65_535;

    private final Optional<RelayNames> names;

    /** @param names the signer of names; empty if this backend has no secret for it */
    public Endpoints(Optional<RelayNames> names) {
        this.names = names;
    }

    /** The address of a relay, parsed from the operator's text. */
    private record Relay(String host, int port) {
        static Optional<Relay> parse(String text) {
            Matcher matcher = ADDRESS.matcher(text);
            if (!matcher.matches()) {
                return Optional.empty();
            }
            int port = Integer.parseInt(matcher.group(3));
            String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            return port < 1 || port > LAST_PORT ? Optional.empty() : Optional.of(new Relay(host, port));
        }
    }

    /** @throws Problem if no client could reach a machine by it */
    public String checkedRelay(String text) {
        if (names.isEmpty()) {
            throw Problem.invalid(
                    "relay: this backend signs no names for relays; set OUTPOST_BACKEND_RELAY_SECRET to what"
                            + " ./outpost relay --new-secret prints, here and at the relay");
        }
        if (Relay.parse(text).isEmpty()) {
            throw Problem.invalid("relay: expected an address such as relay.example.org:8443, got \"" + text + "\"");
        }
        return text;
    }

    /** The relays of clusters, for the views of several machines. */
    public static Map<String, String> relays(Sql sql) {
        return ClusterRows.relays(sql);
    }

    /** Returns the address at which clients reach the machine; empty until it serves. */
    public Optional<EndpointView> of(Machine row, Map<String, String> relays) {
        return row.address().map(address -> {
            Optional<Relay> relay = row.cluster().map(relays::get).flatMap(Relay::parse);
            return relay.isPresent() && names.isPresent()
                    ? relayed(relay.get(), names.get(), address)
                    : new EndpointView(address.host(), address.port(), address.certificate(), null);
        });
    }

    /** Relays accept only addresses, so a machine's host name is resolved here. */
    private static EndpointView relayed(Relay relay, RelayNames names, Machine.Address address) {
        try {
            String name = names.of(InetAddress.getByName(address.host()), address.port());
            return new EndpointView(relay.host(), relay.port(), address.certificate(), name);
        } catch (UnknownHostException unknown) {
            return new EndpointView(address.host(), address.port(), address.certificate(), null);
        }
    }

    /** Returns a sentence that tells how clients will reach a machine that does not exist yet. */
    public String sentence(Optional<String> cluster, Map<String, String> relays) {
        return cluster.map(relays::get)
                .filter(relay -> names.isPresent())
                .map(relay -> "the client connects to the relay at " + relay
                        + ", which passes what it says through to the machine without decrypting it")
                .orElse("the client connects to the machine itself");
    }
}
