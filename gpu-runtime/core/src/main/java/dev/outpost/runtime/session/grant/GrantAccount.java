package dev.outpost.runtime.session.grant;

import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.runtime.session.memory.GrantMemory;
import dev.outpost.runtime.session.schedule.GrantTimeShare;
import dev.outpost.runtime.session.stats.WorkCounters;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A grant as it is being used: its terms of this moment, and what its sessions have together. A {@link GrantRegistry} hands it
 * out to whoever shows the token. Thread-safe.
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

    /** The grant of whoever started the machine: everything, and each session for itself. */
    public static GrantAccount ofOwner() {
        return new GrantAccount("", GrantTerms.ALL, true);
    }

    public static GrantAccount of(String tokenSha256, GrantTerms terms) {
        return new GrantAccount(tokenSha256, terms, false);
    }

    /** The hash by which it is named, in hex; empty for the owner's. */
    public String tokenSha256() {
        return tokenSha256;
    }

    public GrantTerms terms() {
        return terms;
    }

    /** From now on these hold, also for sessions that there are; it is revoked no more. */
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

    /** Why it opens nothing any more; nothing while it does. */
    public Optional<String> over(Instant now) {
        if (revoked) {
            return Optional.of("the grant was revoked");
        }
        GrantTerms held = terms;
        return held.isOver(now)
                ? Optional.of("the grant has expired at " + held.expires().orElseThrow())
                : Optional.empty();
    }

    // ---- what its sessions have

    public GrantMemory memory() {
        return memory;
    }

    /** By what a new session's time is charged. */
    public GrantTimeShare timeShare() {
        return isOwners ? new GrantTimeShare(GrantTerms.NORMAL_WEIGHT) : turns;
    }

    public void onMessage(long now) {
        heard = now;
    }

    /** When a client of it was last heard, in nanoseconds of the runtime's clock; nothing where none ever was. */
    public Optional<Long> lastHeard() {
        long last = heard;
        return last == NEVER ? Optional.empty() : Optional.of(last);
    }

    /** A session of it is dropped from the books, which has done this. */
    public void forget(WorkCounters done) {
        engineNanosOfGone.addAndGet(done.engineNanos());
    }

    public long engineNanosOfGone() {
        return engineNanosOfGone.get();
    }
}
