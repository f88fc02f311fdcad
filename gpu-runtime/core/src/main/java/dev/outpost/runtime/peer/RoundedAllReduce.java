package dev.outpost.runtime.peer;

import dev.outpost.protocol.op.WireFormat;
import dev.outpost.types.DType;
import dev.outpost.types.Split;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes a sum whose terms and result are sent in fewer bits. Each member adds one chunk in float32, in the order
 * of ranks, and does not round its own term. All members use the sum as it was sent, including the member that added
 * it. So the error of an element consists of the rounding of each sent term and of the sum.
 */
final class RoundedAllReduce {
    private final ExchangeRun run;
    private final WireFormat format;
    private final int self;
    private final Split chunks;

    private RoundedAllReduce(ExchangeRun run) {
        this.run = run;
        this.format = run.collective().format();
        this.self = run.self();
        this.chunks = Split.even(0, run.elements().length / Float.BYTES, run.size());
    }

    static byte[] of(ExchangeRun run) throws InterruptedException, PeerFaultException {
        return run.size() == 1 ? run.elements() : new RoundedAllReduce(run).sum();
    }

    private byte[] sum() throws InterruptedException, PeerFaultException {
        for (int after = 1; after < run.size(); after++) {
            int member = (self + after) % run.size();
            byte[] term = FloatPacking.pack(format, run.elements(), at(member), elements(member));
            run.send(member, 0, term, 0, term.length);
        }
        byte[] packed = FloatPacking.pack(format, ownSum(), 0, elements(self));
        for (int after = 1; after < run.size(); after++) {
            run.send((self + after) % run.size(), 1, packed, 0, packed.length);
        }
        byte[] result = new byte[run.elements().length];
        for (int member = 0; member < run.size(); member++) {
            byte[] came = member == self ? packed : run.receive(member, 1, format.bytes(elements(member)));
            FloatPacking.unpack(format, came, result, at(member), elements(member));
        }
        return result;
    }

    private byte[] ownSum() throws InterruptedException, PeerFaultException {
        List<byte[]> terms = new ArrayList<>();
        for (int member = 0; member < run.size(); member++) {
            byte[] term = new byte[elements(self) * Float.BYTES];
            if (member == self) {
                System.arraycopy(run.elements(), at(self), term, 0, term.length);
            } else {
                byte[] came = run.receive(member, 0, format.bytes(elements(self)));
                FloatPacking.unpack(format, came, term, 0, elements(self));
            }
            terms.add(term);
        }
        return Sums.of(DType.FLOAT32, terms);
    }

    private int at(int member) {
        return Math.toIntExact(chunks.start(member) * Float.BYTES);
    }

    private int elements(int member) {
        return Math.toIntExact(chunks.size(member));
    }
}
