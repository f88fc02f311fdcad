package dev.outpost.runtime.session.grant;

import dev.outpost.channel.grant.GrantTerms;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The grants whose tokens open a runtime: by the hashes of tokens, never by the tokens. Grants come from a
 * configuration that may be replaced as a whole, and one by one from the runtime's manager; a manager's word on a
 * grant holds, whatever the configuration says of it. Thread-safe.
 */
public final class GrantRegistry {
    /** How many grants a runtime keeps: each costs a comparison for every connection. */
    public static final int MAX = 1024;

    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private final InstantSource clock;
    private final GrantAccount owner = GrantAccount.ofOwner();
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private volatile List<Entry> all = List.of();

    /** A grant, and who spoke of it last. */
    private record Entry(byte[] hash, GrantAccount account, boolean isManaged) {}

    /** @param clock by which grants expire */
    public GrantRegistry(InstantSource clock) {
        this.clock = clock;
    }

    /** The grant of whoever started the runtime. It has everything and no end. */
    public GrantAccount owner() {
        return owner;
    }

    /** The grants of the configuration are these from now on, but for those that a manager has spoken of. */
    public synchronized void replace(Map<String, GrantTerms> configured) {
        entries.values().stream()
                .filter(entry -> !entry.isManaged()
                        && !configured.containsKey(entry.account().tokenSha256()))
                .toList()
                .forEach(this::drop);
        configured.forEach((hash, terms) -> {
            Entry there = entries.get(requireHash(hash));
            if (there == null || !there.isManaged()) {
                put(hash, terms, false);
            }
        });
        publish();
    }

    private void drop(Entry entry) {
        entry.account().revoke();
        entries.remove(entry.account().tokenSha256());
    }

    /**
     * Adds a grant, or changes its terms, for sessions that there are as well.
     *
     * @throws IllegalArgumentException where the hash is none, or there are {@link #MAX} grants already
     */
    public synchronized void bind(String tokenSha256, GrantTerms terms) {
        if (!entries.containsKey(requireHash(tokenSha256)) && entries.size() >= MAX) {
            entries.values().stream()
                    .filter(entry -> entry.account().over(clock.instant()).isPresent())
                    .findFirst()
                    .ifPresentOrElse(this::drop, () -> {
                        throw new IllegalArgumentException(
                                "grants: a machine keeps " + MAX + " at the most; revoke one first");
                    });
        }
        put(tokenSha256, terms, true);
        publish();
    }

    private void put(String hash, GrantTerms terms, boolean isManaged) {
        Entry there = entries.get(hash);
        GrantAccount account = there == null ? GrantAccount.of(hash, terms) : there.account();
        account.change(terms);
        entries.put(hash, new Entry(HexFormat.of().parseHex(hash), account, isManaged));
    }

    /** Takes a grant back: it opens nothing, and its sessions end. Taking back one that is not there succeeds. */
    public synchronized void revoke(String tokenSha256) {
        Entry there = entries.get(requireHash(tokenSha256));
        if (there != null) {
            there.account().revoke();
            entries.put(tokenSha256, new Entry(there.hash(), there.account(), true));
            publish();
        }
    }

    /**
     * The grant of a token, where there is one that holds now. Takes as long whichever it is.
     *
     * @param tokenSha256 the hash of what was shown
     */
    public Optional<GrantAccount> find(byte[] tokenSha256) {
        GrantAccount found = null;
        for (Entry entry : all) {
            if (MessageDigest.isEqual(entry.hash(), tokenSha256)) {
                found = entry.account();
            }
        }
        return Optional.ofNullable(found).filter(account -> account.over(now()).isEmpty());
    }

    /** All that opened something since the runtime started or still may, in the order in which they came. */
    public List<GrantAccount> accounts() {
        List<GrantAccount> accounts = new ArrayList<>();
        all.forEach(entry -> accounts.add(entry.account()));
        return accounts;
    }

    public Instant now() {
        return clock.instant();
    }

    private void publish() {
        all = List.copyOf(entries.values());
    }

    private static String requireHash(String tokenSha256) {
        if (!SHA256.matcher(tokenSha256).matches()) {
            throw new IllegalArgumentException("grant: expected the 64 lower-case hex digits of a token's SHA-256, got "
                    + tokenSha256.length() + " characters");
        }
        return tokenSha256;
    }
}
