package dev.outpost.runtime.session.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The shares of all sessions of a machine in a limited resource, such as bytes. Each session has a reserved part, and
 * beyond that uses a common part. So a session that uses as much as possible leaves the reserved parts to the others.
 */
public final class SharedQuota {
    private final long limit;
    private final long own;
    private final AtomicLong common;
    private final AtomicLong used = new AtomicLong();

    /**
     * @param limit the amount that all sessions may use together
     * @param own the part of the limit that is reserved for each session
     * @param sessions the maximum number of sessions
     */
    public SharedQuota(long limit, long own, int sessions) {
        this.limit = limit;
        this.own = own;
        this.common = new AtomicLong(limit - own * sessions);
    }

    /** Creates a quota, and reserves a quarter of it in equal parts for the sessions. */
    public static SharedQuota of(long limit, int sessions) {
        return new SharedQuota(limit, limit / 4 / sessions, sessions);
    }

    /** Returns a session's share of the quota. */
    public Part part(long max) {
        return part(max, new GrantMemory(Long.MAX_VALUE));
    }

    /** Returns a session's share of the quota, which also counts for the session's grant. */
    public Part part(long max, GrantMemory grant) {
        return new Part(max, grant);
    }

    public long used() {
        return used.get();
    }

    private boolean takeCommon(long amount) {
        if (amount == 0) {
            return true;
        }
        boolean taken = common.addAndGet(-amount) >= 0;
        if (!taken) {
            common.addAndGet(amount);
        }
        return taken;
    }

    private long beyondOwn(long amount) {
        return Math.max(0, amount - own);
    }

    /** The share of one session. */
    public final class Part {
        private final long max;
        private final GrantMemory grant;
        private final AtomicLong mine = new AtomicLong();

        private Part(long max, GrantMemory grant) {
            this.max = max;
            this.grant = grant;
        }

        /** Reserves this amount if it is free. Returns true if it did. */
        public boolean reserve(long amount) {
            boolean done = reserveHeld(amount);
            if (done) {
                used.addAndGet(amount);
            }
            return done;
        }

        /**
         * Works like {@link #reserve}, for bytes that {@link #shift} subtracted from other sessions: {@link
         * SharedQuota#used} includes them already.
         */
        public boolean reserveHeld(long amount) {
            if (!grant.reserve(amount)) {
                return false;
            }
            boolean done = reserveShare(amount);
            if (!done) {
                grant.release(amount);
            }
            return done;
        }

        private boolean reserveShare(long amount) {
            long before = mine.get();
            while (amount <= max - before) {
                long fromCommon = beyondOwn(before + amount) - beyondOwn(before);
                if (!takeCommon(fromCommon)) {
                    return false;
                }
                if (mine.compareAndSet(before, before + amount)) {
                    return true;
                }
                common.addAndGet(fromCommon);
                before = mine.get();
            }
            return false;
        }

        /**
         * Changes the charge of this session by some bytes of a value that other sessions hold too. The caller changes the charges of the
         * others by the same amount in total, so {@link SharedQuota#used} does not change.
         *
         * @param bytes the bytes to add; may exceed the bounds, because other sessions held these bytes before
         */
        public void shift(long bytes) {
            long before = mine.getAndAdd(bytes);
            common.addAndGet(beyondOwn(before) - beyondOwn(before + bytes));
            grant.release(-bytes);
        }

        public void release(long amount) {
            shift(-amount);
            used.addAndGet(-amount);
        }

        /** Returns the limit of this session, which does not depend on other sessions' use. */
        public long most() {
            return Math.min(max, grant.most());
        }

        /** Returns the memory of all sessions of this session's grant together. */
        GrantMemory grant() {
            return grant;
        }

        public long used() {
            return mine.get();
        }

        /** Returns the limit of all sessions together. */
        public long mostOfAll() {
            return limit;
        }

        /** Returns the amount that the session can still reserve now. */
        long free() {
            long before = mine.get();
            long shared = Math.min(max - before, Math.max(0, own - before) + Math.max(0, common.get()));
            return Math.min(shared, grant.free());
        }

        /** Returns a text that names the limit that a reservation of this amount exceeds. */
        public String obstacle(long amount, String what) {
            return amount > max - mine.get()
                    ? "over " + max + " " + what
                    : "over " + limit + " " + what + " by all sessions";
        }
    }
}
