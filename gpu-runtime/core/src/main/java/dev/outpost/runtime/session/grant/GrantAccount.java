package dev.outpost.runtime.session.grant;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.runtime.session.memory.GrantMemory;
import dev.outpost.runtime.session.schedule.GrantTimeShare;
import dev.outpost.runtime.session.stats.WorkCounters;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A grant in use: its current terms, and the total use of its sessions. A {@link GrantRegistry} returns it for the
 * grant's token. Thread-safe.
 */
public final class GrantAccount {
    private static final long NEVER = Long.MIN_VALUE;

    private final String tokenSha256;
    private final boolean isOwners;
    private final GrantMemory memory;
    private final GrantTimeShare turns;
    private final AtomicLong engineNanosOfGone = new AtomicLong();
    private volatile GrantTerms terms;
    private volatile boolean revoked;
    private volatile long heard = NEVER;

    private GrantAccount(String tokenSha256, GrantTerms terms, boolean isOwners) {
        this.tokenSha256 = tokenSha256;
        this.isOwners = isOwners;
        this.terms = terms;
        this.memory = new GrantMemory(terms.memoryBytes().orElse(Long.MAX_VALUE));
        this.turns = new GrantTimeShare(terms.weight());
    }

    /**
     * Returns the grant of the machine's owner. It has no limits, and each session has its own share of the engine's
     * time.
     */
    public static GrantAccount ofOwner() {
        return new GrantAccount("", GrantTerms.ALL, true);
    }

    public static GrantAccount of(String tokenSha256, GrantTerms terms) {
        return new GrantAccount(tokenSha256, terms, false);
    }

    /** Returns the SHA-256 of the grant's token in hex; empty for the owner's grant. */
    public String tokenSha256() {
        return tokenSha256;
    }

    public GrantTerms terms() {
        return terms;
    }

    /** Replaces the terms, which also applies to open sessions, and undoes a revocation. */
    public void change(GrantTerms next) {
        terms = next;
        revoked = false;
        memory.bound(next.memoryBytes().orElse(Long.MAX_VALUE));
        turns.weigh(next.weight());
    }

    public void revoke() {
        revoked = true;
    }

    public boolean isRevoked() {
        return revoked;
    }

    /** Returns why the grant is no longer valid, or empty while it is valid. */
    public Optional<String> over(Instant now) {
        if (revoked) {
            return Optional.of("the grant was revoked");
        }
        GrantTerms held = terms;
        return held.isOver(now)
                ? Optional.of("the grant has expired at " + held.expires().orElseThrow())
                : Optional.empty();
    }

    // ---- use by its sessions

    public GrantMemory memory() {
        return memory;
    }

    /** Returns the account to which a new session's engine time is charged. */
    public GrantTimeShare timeShare() {
        return isOwners ? new GrantTimeShare(GrantTerms.NORMAL_WEIGHT) : turns;
    }

    public void onMessage(long now) {
        heard = now;
    }

    /** Returns the time of the latest frame of a client with this grant, in nanoseconds of the runtime's clock; empty before the first frame. */
    public Optional<Long> lastHeard() {
        long last = heard;
        return last == NEVER ? Optional.empty() : Optional.of(last);
    }

    /** Adds the work of a session that is removed from the runtime. */
    public void forget(WorkCounters done) {
        engineNanosOfGone.addAndGet(done.engineNanos());
    }

    public long engineNanosOfGone() {
        return engineNanosOfGone.get();
    }
}
