package dev.outpost.protocol.trace;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.types.MalformedException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads the pieces of an {@link EngineTraceWriter}, in their order. Not thread-safe. */
public final class EngineTraceReader {
    private final List<String> names = new ArrayList<>();
    private long lastNanos;

    /** Passes the events of the next piece. Throws {@link MalformedException} for anything else. */
    public void read(byte[] piece, Consumer<EngineEvent> receiver) {
        ByteReader in = new ByteReader(piece);
        while (!in.isAtEnd()) {
            int kind = in.u8();
            if (kind == EngineTraceWriter.NAME) {
                names.add(in.string());
            } else {
                receiver.accept(event(kind, in));
            }
        }
    }

    private EngineEvent event(int kind, ByteReader in) {
        return switch (kind) {
            case EngineTraceWriter.SEGMENT -> segment(in.varint(), in.smallInt("instruction count"), in);
            case EngineTraceWriter.PLANNED -> new EngineEvent.Planned(start(in), end(in));
            case EngineTraceWriter.KERNEL -> new EngineEvent.Kernel(name(in), start(in), end(in));
            case EngineTraceWriter.FETCHED -> new EngineEvent.Fetched(in.varint(), start(in), end(in));
            case EngineTraceWriter.DROPPED -> new EngineEvent.Dropped(in.varint());
            default -> throw new MalformedException("event kind " + kind + " is unknown");
        };
    }

    private EngineEvent segment(long number, int instructions, ByteReader in) {
        long start = start(in);
        long end = end(in);
        return new EngineEvent.Segment(number, instructions, start - in.zigzag(), start, end);
    }

    private String name(ByteReader in) {
        int name = in.smallInt("name");
        if (name >= names.size()) {
            throw new MalformedException("name " + name + " is over the " + names.size() + " that were told");
        }
        return names.get(name);
    }

    private long start(ByteReader in) {
        lastNanos += in.zigzag();
        return lastNanos;
    }

    private long end(ByteReader in) {
        return lastNanos + in.zigzag();
    }
}
