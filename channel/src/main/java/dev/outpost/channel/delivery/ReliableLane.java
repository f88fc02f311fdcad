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
 * One lane of a session, on either side. Its payloads arrive once and in order, over several connections, one after
 * the other. A connection is reliable until it breaks. Payloads are kept until they are acknowledged, and sent again
 * on a new connection.
 *
 * <p>Delivery is called under the lane's lock, so it must not block. Sending waits while the window is full.
 */
public final class ReliableLane {
    private static final long SIGN_OF_LIFE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final int SIGNS_IN_A_SILENCE = 4;
    private static final int ACKNOWLEDGE_AFTER_FRAMES = 8;

    /** The number of frames that are sent again on a new connection before the first acknowledgement. */
    private static final int FIRST_REPEATS = 1;

    /** The number of further frames that are sent again for each acknowledged one. */
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
     * The frames that the current connection still lacks, in order. A frame that is sent meanwhile is added after the frames that are
     * sent again.
     */
    private final ArrayDeque<Outgoing.Pending> lacking = new ArrayDeque<>();

    /** Null if compression is off. */
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

    /** Makes a lane with its default window. */
    public ReliableLane(Lane lane, Consumer<Bytes> delivery, LongSupplier clock) {
        this(lane, lane.windowBytes(), delivery, clock);
    }

    /**
     * @param lane the lane
     * @param windowBytes the maximum number of bytes that are sent and not yet acknowledged
     * @param delivery receives the payloads in order
     * @param clock a monotonic clock in nanoseconds
     */
    public ReliableLane(Lane lane, long windowBytes, Consumer<Bytes> delivery, LongSupplier clock) {
        this.lane = lane;
        this.windowBytes = windowBytes;
        this.delivery = delivery;
        this.clock = clock;
        this.lastSentNanos = clock.getAsLong();
    }

    /** Sends a payload: immediately if connected, otherwise on the next connection. Waits while the window is full. */
    public void send(byte[] payload) throws InterruptedException {
        send(new Payload(payload));
    }

    /**
     * Sends a payload like {@link #send(byte[])}. The body is written under the lane's lock. It is released when the payload is
     * acknowledged.
     */
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
     * Sends a payload if this is possible without waiting. Returns true if it was sent. Returns false in callbacks of the lane, because the
     * current delivery must end first.
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
     * Sends the payloads of a source, now and whenever there is room for more. Does not wait. Several sources are served one after the
     * other, and payloads that are {@linkplain #send sent} directly go out in between.
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

    /**
     * Takes payloads from the sources while there is room. A sent payload may be acknowledged at once, within this
     * call.
     */
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

    /**
     * Returns true if the window has room. The window limits the unacknowledged bytes. The network limits the part of them in its buffers.
     */
    private boolean hasRoom(int bytes) {
        return outgoing.hasRoom(bytes, windowBytes) && (output == null || output.isReady(lane));
    }

    /** Records that the output can take more frames. */
    public void ready() {
        lock.lock();
        try {
            roomChanged();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a payload even if the window is full. Used for the few small messages that end a session. */
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
     * Attaches a new connection, and sends the frames again that the other side lacks: a few at first, and more with
     * each acknowledgement. If all were sent at once, the connection might break under the load each time, without
     * progress. Frames that were never sent before go out immediately.
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

    /** Turns compression on if both sides have agreed on it. It applies only to a lane that waits for the network. */
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

    /** Detaches the connection. Later frames wait for the next one. */
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

    /** Ends the session. Waiting senders and all later senders get the reason. */
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

    /** Stops delivery and acknowledgement of later frames. Still processes the other side's acknowledgements. */
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

    /** Delivers a payload. If it is refused, the session ends. Until then it is not acknowledged, and no other frame is accepted. */
    private void deliver(Bytes payload) {
        try {
            delivery.accept(payload);
        } catch (RuntimeException | Error failure) {
            receiving = false;
            output = null;
            throw failure;
        }
    }

    /** Receives a compressed frame like {@link #onData}. Throws MalformedException if compression was not agreed on. */
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

    /** Sends signs of life often enough for a peer that gives up after this time of silence. */
    public void outlive(Duration silence) {
        lock.lock();
        try {
            signOfLifeNanos = Math.min(SIGN_OF_LIFE_NANOS, silence.toNanos() / SIGNS_IN_A_SILENCE);
        } finally {
            lock.unlock();
        }
    }

    /** Sends an acknowledgement if one is due. Called every few milliseconds. */
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

    /** Returns the number of the last received frame of the other side. */
    public long received() {
        lock.lock();
        try {
            return incoming.received();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of data frames sent so far, including repeats. */
    public long framesSent() {
        lock.lock();
        try {
            return framesSent;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of bytes sent so far, including acknowledgements and repeats. */
    public long bytesSent() {
        lock.lock();
        try {
            return bytesSent;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the number of payload bytes that are not acknowledged yet. */
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

    /** Sends frames again as far as the limit allows. A frame may be acknowledged at once, within this call. */
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

    /** Returns the exception for a session that has ended without a reason. */
    public static OutpostException closed() {
        return new OutpostException(FaultKind.EXTERNAL, "the session is closed");
    }
}
