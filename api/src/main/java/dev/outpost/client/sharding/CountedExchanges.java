package dev.outpost.client.sharding;

import dev.outpost.protocol.op.WireFormat;

/** Numbers exchanges that are planned and never sent. */
final class CountedExchanges implements Exchanges {
    private long last;

    @Override
    public long next() {
        return ++last;
    }

    @Override
    public long program() {
        return 0;
    }

    @Override
    public void drawsParts() {
        // Nothing is sent.
    }

    @Override
    public WireFormat format() {
        return WireFormat.EXACT;
    }
}
