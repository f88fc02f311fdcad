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
 * The grants whose tokens open a runtime, by the hashes of the tokens. It never stores tokens. A configuration contains grants and is
 * replaced as a whole. The runtime's manager adds single grants. Their terms override the terms in the configuration. Thread-safe.
 */
public final class GrantRegistry {
    /**
     * The maximum number of grants that a runtime keeps, because each connection compares its token with all of them.
     */
    public static final int MAX = 1024;

    private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private final InstantSource clock;
    private final GrantAccount owner = GrantAccount.ofOwner();
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private volatile List<Entry> all = List.of();

    /** A grant, and whether the manager set it. */
    private record Entry(byte[] hash, GrantAccount account, boolean isManaged) {}

    /** @param clock the clock by which grants expire */
    public GrantRegistry(InstantSource clock) {
        this.clock = clock;
    }

    /** Returns the grant of the runtime's owner. It has no limits and does not expire. */
    public GrantAccount owner() {
        return owner;
    }

    /** Replaces the grants of the configuration, except those that the manager has set. */
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
     * Adds a grant, or changes its terms, which also applies to open sessions.
     *
     * @throws IllegalArgumentException if the hash is malformed, or the registry holds {@link #MAX} grants already
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

    /** Revokes a grant: its token opens no more sessions, and its open sessions end. Revoking an unknown grant succeeds. */
    public synchronized void revoke(String tokenSha256) {
        Entry there = entries.get(requireHash(tokenSha256));
        if (there != null) {
            there.account().revoke();
            entries.put(tokenSha256, new Entry(there.hash(), there.account(), true));
            publish();
        }
    }

    /**
     * Finds the valid grant of a token hash. Constant time: compares with every entry.
     *
     * @param tokenSha256 the hash of the token that a client showed
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

    /** Returns the accounts of all grants in the order in which they were added, including revoked ones. */
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
