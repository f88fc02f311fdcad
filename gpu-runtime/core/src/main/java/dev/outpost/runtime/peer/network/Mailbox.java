package dev.outpost.runtime.peer.network;

import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.runtime.peer.Patience;
import dev.outpost.runtime.peer.PeerLane;
import dev.outpost.runtime.peer.PeerLostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Stores the messages from one member to another until the receiver takes them, by exchange and step. Putting a
 * message never waits, so that one exchange does not block another. The stored bytes are limited to the bytes that
 * the receiver expects. Thread-safe.
 *
 * <p>A member begins its exchanges in the order of their numbers and announces each. If a later number arrives although an earlier number
 * is missing, the members run different programs.
 */
final class Mailbox {
    /** The maximum number of segments that the sender may have passed on and the receiver not taken. */
    static final int MAX_SEGMENTS = 4096;

    static final long MAX_SEGMENT_BYTES = 64L << 20;

    /** The maximum number of exchanges that the sender may have begun before the receiver begins them. */
    static final int MAX_AHEAD = 64;

    /**
     * The minimum number of bytes for which a message counts. This also bounds the number of messages without
     * elements.
     */
    static final int MIN_COST = 64;

    /** The bytes that an exchange may use for messages without elements. */
    static final int SMALL_MESSAGES = 4 << 10;

    /** The limit of late messages of ended exchanges, as a multiple of the bytes of the largest exchange. */
    private static final int MAX_OVER = 16;

    private final int from;
    private final Duration timeout;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Long, Incoming> exchanges = new HashMap<>();
    private final Map<Long, PeerMessage> segments = new HashMap<>();
    private long segmentBytes;
    private long latestBegun = Long.MIN_VALUE;
    private long latestHeard = Long.MIN_VALUE;
    /** The bytes that may still arrive for ended exchanges. */
    private long roomOfOver;
    /** The bytes of the largest exchange so far. */
    private long largestRoom;
    /** The reason why the mailbox was closed; null while it is open. */
    private String closedBy;
    /** True if the group is broken, false if only a member has left. */
    private boolean isBroken;

    private Consumer<String> listener;

    /** The messages of one exchange that have arrived. */
    private static final class Incoming {
        final Map<Integer, ArrayDeque<PeerMessage>> steps = new HashMap<>();
        long room = PeerLane.EAGER_BYTES + SMALL_MESSAGES;
        boolean isBegun;
        boolean isHeard;
        boolean isReady;
        long program;
        PeerMessage other;
        PeerMessage fault;
    }

    /** @param from the rank of the member that puts messages */
    Mailbox(int from, Duration timeout) {
        this.from = from;
        this.timeout = timeout;
    }

    // ---- the receiver

    /** Begins an exchange in which at most this number of bytes may arrive. */
    void expect(long number, long program, long bytes) {
        lock.lock();
        try {
            Incoming exchange = exchanges.computeIfAbsent(number, fresh -> new Incoming());
            if (exchange.isHeard && exchange.program != program) {
                exchange.other = PeerMessage.ready(number, exchange.program);
            }
            exchange.isBegun = true;
            exchange.room += bytes;
            largestRoom = Math.max(largestRoom, bytes + PeerLane.EAGER_BYTES + SMALL_MESSAGES);
            exchange.program = program;
            latestBegun = Math.max(latestBegun, number);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next message of a step. Messages that arrived before the mailbox was closed are still returned. */
    PeerMessage take(long number, int step) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = timeout.toNanos();
            while (true) {
                Incoming exchange = required(number);
                PeerMessage next = next(exchange, step);
                if (next != null) {
                    return next;
                }
                left = await(number, left);
            }
        } finally {
            lock.unlock();
        }
    }

    private PeerMessage next(Incoming exchange, int step) {
        ArrayDeque<PeerMessage> came = exchange.steps.get(step);
        if (came == null || came.isEmpty()) {
            return exchange.fault;
        }
        PeerMessage next = came.poll();
        exchange.room += cost(next);
        return next;
    }

    private static long cost(PeerMessage message) {
        return Math.max(MIN_COST, message.elements().length());
    }

    void awaitReady(long number) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = timeout.toNanos();
            while (!isReady(required(number))) {
                left = await(number, left);
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean isReady(Incoming exchange) {
        return exchange.isReady || exchange.fault != null;
    }

    private Incoming required(long number) {
        Incoming exchange = exchanges.get(number);
        if (exchange == null || !exchange.isBegun) {
            throw new IllegalStateException("exchange " + number + " was never begun");
        }
        if (exchange.other != null) {
            throw new PeerLostException("the members do not run the same program, got exchange " + number
                    + " of program "
                    + Long.toHexString(exchange.other.program()) + " from member " + from + ", expected that of "
                    + Long.toHexString(exchange.program));
        }
        return exchange;
    }

    /** Waits for one slice of the timeout. Returns the nanoseconds that are left. */
    private long await(long number, long left) throws InterruptedException {
        requireOpen();
        if (latestHeard > number && !exchanges.get(number).isHeard) {
            throw new PeerLostException("the members do not run the same program, member " + from
                    + " has come to exchange " + latestHeard + " and never to " + number);
        }
        if (left <= 0) {
            throw new PeerLostException("member " + from + " did not come within " + timeout.toMillis() + " ms");
        }
        return Patience.awaitNanos(changed, left);
    }

    /** Waits for a segment that the sender passes on. Each is taken once. */
    PeerMessage takeSegment(long number) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = timeout.toNanos();
            while (true) {
                PeerMessage segment = segments.remove(number);
                if (segment != null) {
                    segmentBytes -= segment.elements().length();
                    return segment;
                }
                requireOpen();
                if (left <= 0) {
                    throw new PeerLostException(
                            "member " + from + " did not forward it within " + timeout.toMillis() + " ms");
                }
                left = Patience.awaitNanos(changed, left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (closedBy != null) {
            throw new PeerLostException(isBroken ? closedBy : "member " + from + " is gone: " + closedBy);
        }
    }

    /** Ends an exchange. Later messages of the exchange are dropped, up to the number of bytes that was expected. */
    void end(long number) {
        lock.lock();
        try {
            Incoming over = exchanges.remove(number);
            if (over != null) {
                roomOfOver = Math.min(roomOfOver + over.room, MAX_OVER * largestRoom);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- the sender

    /** @throws PeerLostException if more arrives than was expected */
    void put(PeerMessage message) {
        lock.lock();
        try {
            if (closedBy != null) {
                return;
            }
            if (message.kind() == PeerMessage.Kind.SEGMENT) {
                addSegment(message);
                changed.signalAll();
                return;
            }
            if (message.number() <= latestBegun && !exchanges.containsKey(message.number())) {
                drop(message);
                return;
            }
            add(message);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void drop(PeerMessage message) {
        roomOfOver -= cost(message);
        if (roomOfOver < 0) {
            throw new PeerLostException(
                    "member " + from + " sent more than expected for exchange " + message.number() + ", which is over");
        }
    }

    private void addSegment(PeerMessage segment) {
        segmentBytes += segment.elements().length();
        boolean isKnown = segments.put(segment.number(), segment) != null;
        if (isKnown || segments.size() > MAX_SEGMENTS || segmentBytes > MAX_SEGMENT_BYTES) {
            throw new PeerLostException("member " + from + " passed on segment " + segment.number()
                    + " twice, or over " + MAX_SEGMENTS + " segments of " + MAX_SEGMENT_BYTES
                    + " bytes that are not asked for");
        }
    }

    private void add(PeerMessage message) {
        Incoming exchange = exchanges.computeIfAbsent(message.number(), fresh -> new Incoming());
        latestHeard = Math.max(latestHeard, message.number());
        compare(exchange, message);
        exchange.room -= cost(message);
        switch (message.kind()) {
            case SEGMENT, ASK_STATE, STATE ->
                throw new IllegalStateException(message.kind() + " is no part of an exchange");
            case READY -> exchange.isReady = true;
            case FAULT -> exchange.fault = message;
            case ELEMENTS ->
                exchange.steps
                        .computeIfAbsent(message.step(), fresh -> new ArrayDeque<>(1))
                        .add(message);
        }
        if (exchange.room < 0 || !exchange.isBegun && exchanges.size() > MAX_AHEAD + exchangesBegun()) {
            throw new PeerLostException("member " + from + " sent more than expected for exchange " + message.number()
                    + ", or is over " + MAX_AHEAD + " exchanges ahead");
        }
    }

    private long exchangesBegun() {
        return exchanges.values().stream().filter(each -> each.isBegun).count();
    }

    /** Checks that both members run one program: the sender names its program in each message. */
    private static void compare(Incoming exchange, PeerMessage message) {
        if ((exchange.isBegun || exchange.isHeard) && exchange.program != message.program()) {
            exchange.other = message;
        }
        exchange.program = exchange.isBegun ? exchange.program : message.program();
        exchange.isHeard = true;
    }

    // ---- both sides

    void whenBroken(Consumer<String> told) {
        String reason;
        lock.lock();
        try {
            listener = told;
            reason = isBroken ? closedBy : null;
        } finally {
            lock.unlock();
        }
        if (reason != null) {
            told.accept(reason);
        }
    }

    /** Closes the mailbox. Later calls do not change the reason. */
    void close(String reason, boolean breaks) {
        Consumer<String> told = null;
        lock.lock();
        try {
            if (closedBy == null) {
                closedBy = reason;
                isBroken = breaks;
                told = breaks ? listener : null;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (told != null) {
            told.accept(reason);
        }
    }
}
