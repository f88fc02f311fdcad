package dev.outpost.channel.delivery;

import dev.outpost.channel.FrameOutput;
import dev.outpost.channel.Lane;
import dev.outpost.channel.frame.Frame;
import dev.outpost.protocol.bytes.Body;
import dev.outpost.protocol.bytes.Bytes;
import dev.outpost.protocol.bytes.Payload;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One lane of a session, on either side: what is sent arrives once and in order, over connections that come and go. A
 * connection is reliable until it breaks. Payloads are kept until they are acknowledged, and sent again on a new
 * connection.
 *
 * <p>Delivery is called under the lane's lock, so it must not block; sending waits while the window is full.
 */
public final class ReliableLane {
    private static final long SIGN_OF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final int SIGNS_IN_A_SILENCE = 4;
    private static final int ACKNOWLEDGE_AFTER_FRAMES = 8;

    /** The frames that a new connection is sent again before the first acknowledgement. */
    private static final int FIRST_REPEATS = 1;

    /** Each frame that is acknowledged lets so many others be sent again. */
    private static final int REPEATS_PER_ACKNOWLEDGED = 2;

    private final Lane lane;
    private final long windowBytes;
    private final Consumer<Bytes> delivery;
    private final LongSupplier clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final Outgoing outgoing = new Outgoing();
    private final PayloadSources payloadSources = new PayloadSources();
    private final Incoming incoming = new Incoming();
    /**
     * The frames that the connection at hand still lacks, in order: a frame that is sent meanwhile stands behind those
     * that are sent again.
     */
    private final ArrayDeque<Outgoing.Pending> lacking = new ArrayDeque<>();

    /** Null where nothing is packed. */
    private @Nullable LaneCompressor laneCompressor;

    private @Nullable FrameOutput output;
    private @Nullable OutpostException ended;
    private boolean receiving = true;
    private boolean drawing;
    private boolean repeating;
    private long repeatsAllowed;
    private long acknowledged;
    private int unacknowledgedFrames;
    private long lastSentNanos;
    private long signOfLifeNanos = SIGN_OF_LIFE_NANOS;
    private long framesSent;
    private long bytesSent;

    /** As the other constructor, with the window of the lane. */
    public ReliableLane(Lane lane, Consumer<Bytes> delivery, LongSupplier clock) {
        this(lane, lane.windowBytes(), delivery, clock);
    }

    /**
     * @param lane which it is
     * @param windowBytes how much may be on its way unacknowledged
     * @param delivery what takes payloads in order
     * @param clock a monotonic clock in nanoseconds
     */
    public ReliableLane(Lane lane, long windowBytes, Consumer<Bytes> delivery, LongSupplier clock) {
        this.lane = lane;
        this.windowBytes = windowBytes;
        this.delivery = delivery;
        this.clock = clock;
        this.lastSentNanos = clock.getAsLong();
    }

    /** Sends a payload, at once when connected and on the next connection otherwise; waits while the window is full. */
    public void send(byte[] payload) throws InterruptedException {
        send(new Payload(payload));
    }

    /** As {@link #send(byte[])}. The body is written under the lane's lock and released when it is acknowledged. */
    public void send(Payload payload) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (ended == null && !hasRoom(payload.length())) {
                room.await();
            }
            requireOpen();
            transmit(outgoing.add(payload));
        } finally {
            lock.unlock();
        }
    }

    /**
     * As {@link #send(byte[])} where that need not wait; the answer is whether it was sent. What the lane calls back sends nothing
     * this way: the rest of what is being delivered comes first.
     */
    public boolean offer(byte[] payload) {
        if (lock.isHeldByCurrentThread()) {
            return false;
        }
        lock.lock();
        try {
            requireOpen();
            if (!hasRoom(payload.length)) {
                return false;
            }
            transmit(outgoing.add(new Payload(payload)));
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends what the supply has, now and whenever there is room for more; does not wait. One supply follows the other, and
     * what is {@linkplain #send sent} beside them goes out in between.
     */
    public void submit(PayloadSource payloadSource) {
        lock.lock();
        try {
            requireOpen();
            payloadSources.add(payloadSource);
            draw();
        } finally {
            lock.unlock();
        }
    }

    /** Wherever there may be room again. What is sent may be acknowledged at once, on this very stack. */
    private void draw() {
        if (drawing) {
            return;
        }
        drawing = true;
        try {
            for (Payload next = payloadSources.peek();
                    next != null && hasRoom(next.length());
                    next = payloadSources.peek()) {
                payloadSources.take();
                transmit(outgoing.add(next));
            }
        } finally {
            drawing = false;
        }
    }

    private void roomChanged() {
        room.signalAll();
        draw();
    }

    /** The window bounds what is under way; the network, how much of that waits in its buffers. */
    private boolean hasRoom(int bytes) {
        return outgoing.hasRoom(bytes, windowBytes) && (output == null || output.isReady(lane));
    }

    /** The output is ready for more. */
    public void ready() {
        lock.lock();
        try {
            roomChanged();
        } finally {
            lock.unlock();
        }
    }

    /** Sends without regard to the window: for the few small messages that end a session. */
    public void sendNow(byte[] payload) {
        lock.lock();
        try {
            if (ended == null) {
                transmit(outgoing.add(new Payload(payload)));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A new connection is there: what the other side lacks goes out again, a little at first and more with each
     * acknowledgement. A connection that breaks under all of it would otherwise break each time, and none carry anything.
     * Frames that no connection was tried with go out at once.
     */
    public void attach(FrameOutput newOutput, long receivedByPeer) {
        lock.lock();
        try {
            output = newOutput;
            forget(receivedByPeer);
            lacking.clear();
            lacking.addAll(outgoing.pending());
            repeatsAllowed = framesSent == 0 ? outgoing.pending().size() : FIRST_REPEATS;
            repeat();
            roomChanged();
        } finally {
            lock.unlock();
        }
    }

    /** Whether both sides may pack what they send here; of lanes that wait for the network alone. */
    public void pack(boolean isAgreed) {
        lock.lock();
        try {
            boolean packs = isAgreed && lane.waitsForNetwork();
            if (packs != (laneCompressor != null)) {
                laneCompressor = packs ? new LaneCompressor(clock) : null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The connection is gone; what is sent meanwhile waits for the next. */
    public void detach() {
        lock.lock();
        try {
            output = null;
            lacking.clear();
            roomChanged();
        } finally {
            lock.unlock();
        }
    }

    /** The session is over: senders that wait, and all later ones, get the reason. */
    public void end(OutpostException reason) {
        lock.lock();
        try {
            ended = ended == null ? reason : ended;
            output = null;
            lacking.clear();
            outgoing.clear();
            payloadSources.end(ended);
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Frames from here on are neither delivered nor acknowledged; acknowledgements of the other side still count. */
    public void stopReceiving() {
        lock.lock();
        try {
            receiving = false;
        } finally {
            lock.unlock();
        }
    }

    public void onData(Frame.Data frame) {
        lock.lock();
        try {
            acknowledged(frame.acknowledged());
            if (!receiving) {
                return;
            }
            if (incoming.accept(frame.number())) {
                deliver(frame.payload());
            }
            unacknowledgedFrames++;
            if (unacknowledgedFrames >= ACKNOWLEDGE_AFTER_FRAMES) {
                acknowledge();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The session ends for a frame that is refused. Until then nothing acknowledges it, and no other frame is taken. */
    private void deliver(Bytes payload) {
        try {
            delivery.accept(payload);
        } catch (RuntimeException | Error failure) {
            receiving = false;
            output = null;
            throw failure;
        }
    }

    /** As {@link #onData}, for a frame that is unpacked first; malformed where that was not agreed on. */
    public void onPacked(Frame.Packed frame) {
        requirePacking();
        onData(frame.unpack());
    }

    private void requirePacking() {
        lock.lock();
        try {
            if (laneCompressor == null) {
                throw new MalformedException("a packed frame came, which was not agreed on");
            }
        } finally {
            lock.unlock();
        }
    }

    public void onAck(Frame.Ack frame) {
        lock.lock();
        try {
            acknowledged(frame.acknowledged());
        } finally {
            lock.unlock();
        }
    }

    /** The other side gives up on who is silent for that long; what is said in between is said often enough. */
    public void outlive(Duration silence) {
        lock.lock();
        try {
            signOfLifeNanos = Math.min(SIGN_OF_LIFE_NANOS, silence.toNanos() / SIGNS_IN_A_SILENCE);
        } finally {
            lock.unlock();
        }
    }

    /** Called every few milliseconds: sends an acknowledgement where one is due. */
    public void tick() {
        lock.lock();
        try {
            if (output == null) {
                return;
            }
            long now = clock.getAsLong();
            if (unacknowledgedFrames > 0 || now - lastSentNanos > signOfLifeNanos) {
                acknowledge();
            }
        } finally {
            lock.unlock();
        }
    }

    /** The last frame of the other side before which nothing is missing here. */
    public long received() {
        lock.lock();
        try {
            return incoming.received();
        } finally {
            lock.unlock();
        }
    }

    /** Data frames sent so far, repeats included. */
    public long framesSent() {
        lock.lock();
        try {
            return framesSent;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes sent so far, acknowledgements and repeats included. */
    public long bytesSent() {
        lock.lock();
        try {
            return bytesSent;
        } finally {
            lock.unlock();
        }
    }

    /** Payload bytes that are not acknowledged yet. */
    public long pendingBytes() {
        lock.lock();
        try {
            return outgoing.pendingBytes();
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() {
        if (ended != null) {
            throw new OutpostException(ended.kind(), String.valueOf(ended.getMessage()), ended);
        }
    }

    private void transmit(Outgoing.Pending pending) {
        if (repeating || !lacking.isEmpty()) {
            lacking.add(pending);
        } else if (output != null) {
            put(pending, output);
        }
    }

    private void put(Outgoing.Pending pending, FrameOutput connection) {
        unacknowledgedFrames = 0;
        framesSent++;
        byte[] packed = laneCompressor == null
                ? null
                : laneCompressor.pack(lane, pending.number(), incoming.received(), pending.payload());
        if (packed != null) {
            note(packed.length);
            connection.send(lane, packed);
            return;
        }
        Body body = pending.payload().body();
        byte[] head = Frame.dataHead(lane, pending.number(), incoming.received(), pending.payload());
        note(head.length + body.length());
        if (body.length() == 0) {
            connection.send(lane, head);
        } else {
            connection.send(lane, head, body);
        }
    }

    private void acknowledge() {
        if (output != null) {
            unacknowledgedFrames = 0;
            byte[] frame = new Frame.Ack(lane, incoming.received()).encode();
            note(frame.length);
            output.send(lane, frame);
        }
    }

    private void note(int bytes) {
        bytesSent += bytes;
        lastSentNanos = clock.getAsLong();
    }

    private void acknowledged(long number) {
        long before = acknowledged;
        long bytesBefore = outgoing.pendingBytes();
        forget(number);
        if (laneCompressor != null) {
            laneCompressor.acknowledged(bytesBefore - outgoing.pendingBytes(), outgoing.pendingBytes() == 0);
        }
        repeatsAllowed += REPEATS_PER_ACKNOWLEDGED * (acknowledged - before);
        repeat();
        roomChanged();
    }

    private void forget(long number) {
        if (number > outgoing.lastNumber()) {
            throw new MalformedException("frame " + number + " is acknowledged but was never sent");
        }
        if (number <= acknowledged) {
            return;
        }
        acknowledged = number;
        outgoing.acknowledge(number);
    }

    /** Sends again what may be. It may be acknowledged at once, on this very stack. */
    private void repeat() {
        if (repeating) {
            return;
        }
        repeating = true;
        try {
            while (output != null && repeatsAllowed > 0 && !lacking.isEmpty()) {
                Outgoing.Pending next = lacking.poll();
                if (next.number() > acknowledged) {
                    repeatsAllowed--;
                    put(next, output);
                }
            }
        } finally {
            repeating = false;
        }
    }

    /** The reason that a lane gives when the session ended without one. */
    public static OutpostException closed() {
        return new OutpostException(FaultKind.EXTERNAL, "the session is closed");
    }
}
