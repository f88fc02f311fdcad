package dev.outpost.runtime.server.lan;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.runtime.session.grant.GrantRegistry;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The clients that a worker is paired with. The file has a line for each client, with the hash of its token, a name
 * and a date. A client that is paired again under the same name replaces the older entry. Thread-safe.
 */
public final class PairedClients {
    private static final int MAX = 256;
    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64}) ([!-~]{1,100}) (\\S{1,40})");

    private record Client(String name, String since) {}

    private final LanState state;
    private final GrantRegistry grants;
    /** The clients by the hash of their token. */
    private final Map<String, Client> clients = new LinkedHashMap<>();

    private PairedClients(LanState state, GrantRegistry grants) {
        this.state = state;
        this.grants = grants;
    }

    /** Reads the paired clients and grants them access. Throws {@link IOException} if a line is malformed. */
    public static PairedClients open(LanState state, GrantRegistry grants) throws IOException {
        PairedClients paired = new PairedClients(state, grants);
        for (String line : LanState.read(state.paired()).orElse("").lines().toList()) {
            var matcher = LINE.matcher(line);
            if (!matcher.matches()) {
                throw new IOException(state.paired() + " has an invalid line; remove it, and pair again");
            }
            paired.clients.put(matcher.group(1), new Client(matcher.group(2), matcher.group(3)));
            grants.bind(matcher.group(1), GrantTerms.ALL);
        }
        return paired;
    }

    /** Returns the number of clients. */
    public synchronized int count() {
        return clients.size();
    }

    /** Stores a client, and grants it access. */
    synchronized void add(String name, String tokenSha256, Instant now) throws IOException {
        String shown = name.replaceAll("[^!-~]", "_");
        String cut = shown.isEmpty() ? "client" : shown.substring(0, Math.min(100, shown.length()));
        Map<String, Client> next = new LinkedHashMap<>(clients);
        next.values().removeIf(client -> client.name().equals(cut));
        if (next.size() >= MAX) {
            throw new IOException("the worker is paired with " + MAX + " clients, and takes no more");
        }
        next.put(tokenSha256, new Client(cut, now.toString()));
        grants.bind(tokenSha256, GrantTerms.ALL);
        state.write(
                state.paired(),
                next.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue().name() + " "
                                + entry.getValue().since() + "\n")
                        .collect(Collectors.joining()));
        forget(next);
    }

    private void forget(Map<String, Client> next) {
        BiConsumer<String, Client> leave = (hash, client) -> {
            if (!next.containsKey(hash)) {
                grants.revoke(hash);
            }
        };
        clients.forEach(leave);
        clients.clear();
        clients.putAll(next);
    }
}
