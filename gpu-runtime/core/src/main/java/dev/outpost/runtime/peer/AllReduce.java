package dev.outpost.runtime.peer;

import dev.outpost.protocol.bytes.Slice;
import dev.outpost.types.Split;
import java.util.ArrayList;
import java.util.List;

/** Computes the sum of the elements of all members. Each member gets the sum. */
final class AllReduce {
    /** The number of pieces that are sent before the first one is added. */
    private static final int PIECES_AHEAD = 2;

    private final ExchangeRun run;
    private final int self;
    private final int size;
    private final byte[] own;
    private final Split chunks;
    private final int unit;
    private final byte[] result;

    private AllReduce(ExchangeRun run) {
        this.run = run;
        this.self = run.self();
        this.size = run.size();
        this.own = run.elements();
        this.unit = run.dtype().bytes();
        this.chunks = Split.even(0, own.length / unit, size);
        this.result = new byte[own.length];
    }

    static byte[] of(ExchangeRun run) throws InterruptedException, PeerFaultException {
        return of(run, Algorithm.of(run.elements().length, run.size()));
    }

    static byte[] of(ExchangeRun run, Algorithm algorithm) throws InterruptedException, PeerFaultException {
        if (run.size() == 1) {
            return run.elements();
        }
        AllReduce sum = new AllReduce(run);
        return switch (algorithm) {
            case ONE_STEP -> sum.inOneStep();
            case TREE -> sum.byTree();
            case DIRECT -> sum.direct();
            case RING -> sum.byRing();
        };
    }

    private byte[] inOneStep() throws InterruptedException, PeerFaultException {
        for (int after = 1; after < size; after++) {
            run.send((self + after) % size, 0, own, 0, own.length);
        }
        List<byte[]> terms = new ArrayList<>(size);
        for (int member = 0; member < size; member++) {
            terms.add(member == self ? own : run.receive(member, 0, own.length));
        }
        return Sums.of(run.dtype(), terms);
    }

    // ---- a tree

    /** Adds along a tree. Step 0 sends terms towards the root, and step 1 sends the sum back. */
    private byte[] byTree() throws InterruptedException, PeerFaultException {
        byte[] sum = own;
        int level = 1;
        while (level < size && (self & level) == 0) {
            if (self + level < size) {
                sum = Sums.of(run.dtype(), List.of(sum, run.receive(self + level, 0, own.length)));
            }
            level <<= 1;
        }
        if (self != 0) {
            run.send(self - level, 0, sum, 0, sum.length);
            sum = run.receive(self - level, 1, own.length);
        }
        for (level >>= 1; level > 0; level >>= 1) {
            if (self + level < size) {
                run.send(self + level, 1, sum, 0, sum.length);
            }
        }
        return sum;
    }

    // ---- chunks, each added by one member

    private long start(int member) {
        return chunks.start(member) * unit;
    }

    private long bytes(int member) {
        return chunks.size(member) * unit;
    }

    private int pieces(int member) {
        return Math.max(1, (int) ((bytes(member) + ExchangeRun.PIECE_BYTES - 1) / ExchangeRun.PIECE_BYTES));
    }

    private int at(int member, int piece) {
        return Math.toIntExact(start(member) + (long) piece * ExchangeRun.PIECE_BYTES);
    }

    private int length(int member, int piece) {
        return (int) Math.min(ExchangeRun.PIECE_BYTES, bytes(member) - (long) piece * ExchangeRun.PIECE_BYTES);
    }

    /**
     * Step 0 sends the terms to the member that adds them, step 1 the sums to all. A piece is added while later
     * pieces are being sent.
     */
    private byte[] direct() throws InterruptedException, PeerFaultException {
        for (int after = 1; after < size; after++) {
            run.awaitReady((self + after) % size);
        }
        int max = pieces(0);
        for (int piece = 0; piece < max + PIECES_AHEAD; piece++) {
            sendTerms(piece);
            int due = piece - PIECES_AHEAD;
            if (due >= 0 && due < pieces(self)) {
                addPiece(due);
            }
        }
        for (int member = 0; member < size; member++) {
            if (member != self) {
                run.receive(member, 1, result, start(member), bytes(member));
            }
        }
        return result;
    }

    private void sendTerms(int piece) throws InterruptedException {
        for (int after = 1; after < size; after++) {
            int member = (self + after) % size;
            if (piece < pieces(member)) {
                run.sendPiece(member, 0, new Slice(own, at(member, piece), length(member, piece)));
            }
        }
    }

    private void addPiece(int piece) throws InterruptedException, PeerFaultException {
        int at = at(self, piece);
        int length = length(self, piece);
        List<Slice> terms = new ArrayList<>(size);
        for (int member = 0; member < size; member++) {
            terms.add(member == self ? new Slice(own, at, length) : run.receivePiece(member, 0, length));
        }
        Sums.into(run.dtype(), terms, result, at);
        for (int after = 1; after < size; after++) {
            run.sendPiece((self + after) % size, 1, new Slice(result, at, length));
        }
    }

    // ---- a ring

    /**
     * In step s a member sends the chunk of the member s places before it, with its own terms added. After size - 1 steps it sends the sums
     * in the same way. Each piece is passed on as soon as it arrives.
     */
    private byte[] byRing() throws InterruptedException, PeerFaultException {
        int right = (self + 1) % size;
        run.send(right, 0, own, start(self), bytes(self));
        int steps = Algorithm.RING.steps(size);
        for (int step = 0; step < steps; step++) {
            int chunk = Math.floorMod(self - step - 1, size);
            for (int piece = 0; piece < pieces(chunk); piece++) {
                passOn(step, chunk, piece, step + 1 < steps ? right : -1);
            }
        }
        return result;
    }

    /** @param right the member that gets the piece next; -1 if all members have it */
    private void passOn(int step, int chunk, int piece, int right) throws InterruptedException, PeerFaultException {
        int at = at(chunk, piece);
        int length = length(chunk, piece);
        Slice came = run.receivePiece(Math.floorMod(self - 1, size), step, length);
        if (step < size - 1) {
            Sums.into(run.dtype(), List.of(came, new Slice(own, at, length)), result, at);
        } else {
            came.copyTo(result, at);
        }
        if (right >= 0) {
            run.sendPiece(right, step + 1, step < size - 1 ? new Slice(result, at, length) : came);
        }
    }
}
