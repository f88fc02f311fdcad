package dev.outpost.runtime.peer;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.op.Collective;
import dev.outpost.protocol.peer.PeerMessage;
import dev.outpost.types.DType;
import dev.outpost.types.Shape;
import java.util.List;
import java.util.Optional;

/**
 * One exchange on one member: sends and receives its messages, in pieces. Members are identified by their place in
 * the exchange. Used by one thread, except {@link #announce}, which another thread may call before.
 */
public final class ExchangeRun {
    /** The maximum number of bytes of elements in one message. */
    public static final int PIECE_BYTES = 512 << 10;

    private final Collective collective;
    private final List<PeerLane> lanes;
    private final int self;
    private final Shape shape;
    private final byte[] elements;
    private final Optional<Fault> lost;
    private final long whole;

    /**
     * @param lanes the lanes by place in the exchange; null for this member
     * @param self the place of this member
     * @param shape the shape of this member's elements; null if it sends none
     * @param lost the fault of its operand, if it sends none because the operand is lost
     */
    ExchangeRun(
            Collective collective, List<PeerLane> lanes, int self, Shape shape, byte[] elements, Optional<Fault> lost) {
        this.collective = collective;
        this.lanes = lanes;
        this.self = self;
        this.shape = shape;
        this.elements = elements;
        this.lost = lost;
        this.whole = OwnPart.wholeBytes(collective, shape);
    }

    Collective collective() {
        return collective;
    }

    int self() {
        return self;
    }

    int size() {
        return lanes.size();
    }

    Shape shape() {
        return shape;
    }

    byte[] elements() {
        return elements;
    }

    DType dtype() {
        return collective.type().dtype();
    }

    // ---- the life of an exchange

    /** Informs the other members that this member has begun the exchange. Called in the order of the exchanges. */
    void announce() throws InterruptedException {
        for (PeerLane lane : lanes) {
            if (lane != null) {
                lane.expect(collective.number(), collective.program(), 2 * whole);
                lane.send(PeerMessage.ready(collective.number(), collective.program()));
            }
        }
    }

    /** Runs the exchange, and informs the other members if it fails. */
    ExchangeResult run(CollectiveBackend backend) throws InterruptedException {
        try {
            if (lost.isPresent()) {
                throw new PeerFaultException(lost.get());
            }
            return backend.exchange(this);
        } catch (PeerFaultException failure) {
            sendFault(failure.fault());
            awaitAll();
            return ExchangeResult.failed(failure.fault());
        } finally {
            for (PeerLane lane : lanes) {
                if (lane != null) {
                    lane.end(collective.number());
                }
            }
        }
    }

    /** Sends a fault to the other members, so that they do not wait for this member's elements. */
    private void sendFault(Fault fault) throws InterruptedException {
        for (PeerLane lane : lanes) {
            if (lane != null) {
                lane.send(PeerMessage.failed(collective.number(), collective.program(), fault));
            }
        }
    }

    /**
     * Waits until all members have begun the exchange, so that no member gets further ahead than the permitted number
     * of exchanges.
     */
    void awaitAll() throws InterruptedException {
        for (PeerLane lane : lanes) {
            if (lane != null) {
                lane.awaitReady(collective.number());
            }
        }
    }

    // ---- messages

    /** Sends part of an array. A large exchange waits until the other member has begun it. */
    void send(int member, int step, byte[] from, long at, long bytes) throws InterruptedException {
        awaitReady(member);
        long sent = 0;
        do {
            int piece = (int) Math.min(PIECE_BYTES, bytes - sent);
            sendPiece(member, step, new Slice(from, Math.toIntExact(at + sent), piece));
            sent += piece;
        } while (sent < bytes);
    }

    void awaitReady(int member) throws InterruptedException {
        if (whole > PeerLane.EAGER_BYTES) {
            lanes.get(member).awaitReady(collective.number());
        }
    }

    void sendPiece(int member, int step, Slice piece) throws InterruptedException {
        lanes.get(member).send(PeerMessage.elements(collective.number(), step, collective.program(), piece));
    }

    /** Receives the bytes that {@link #send} has sent. */
    byte[] receive(int member, int step, long bytes) throws InterruptedException, PeerFaultException {
        byte[] part = new byte[Math.toIntExact(bytes)];
        receive(member, step, part, 0, bytes);
        return part;
    }

    void receive(int member, int step, byte[] into, long at, long bytes)
            throws InterruptedException, PeerFaultException {
        long received = 0;
        do {
            Slice piece = receivePiece(member, step, Math.min(PIECE_BYTES, bytes - received));
            piece.copyTo(into, Math.toIntExact(at + received));
            received += piece.length();
        } while (received < bytes);
    }

    Slice receivePiece(int member, int step, long bytes) throws InterruptedException, PeerFaultException {
        PeerMessage message = lanes.get(member).receive(collective.number(), step);
        if (message.fault().isPresent()) {
            throw new PeerFaultException(message.fault().get());
        }
        if (message.elements().length() != bytes) {
            throw new PeerLostException("member " + collective.members().get(member) + " sent "
                    + message.elements().length() + " bytes, expected " + bytes);
        }
        return message.elements();
    }
}
