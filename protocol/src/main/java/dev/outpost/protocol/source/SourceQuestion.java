package dev.outpost.protocol.source;

import dev.outpost.protocol.bytes.ByteReader;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.types.MalformedException;

/** What a client asks about sources. A machine answers bytes, or a fault. */
public sealed interface SourceQuestion {
    /** What is there? The answer is a {@link SourceIndex}. */
    record Open(String uri) implements SourceQuestion {}

    /** What does a small file of a source say? The answer is its bytes. */
    record ReadFile(String uri, String version, String file) implements SourceQuestion {}

    /** How much has been loaded? The answer is a {@link LoadProgress}. */
    record Progress() implements SourceQuestion {}

    /** Loads of this session that are under way and not done shall fail. The answer is empty. */
    record Cancel() implements SourceQuestion {}

    default byte[] encode() {
        ByteWriter out = new ByteWriter();
        switch (this) {
            case Open open -> {
                out.u8(1);
                out.string(open.uri);
            }
            case ReadFile read -> {
                out.u8(2);
                out.string(read.uri);
                out.string(read.version);
                out.string(read.file);
            }
            case Progress progress -> out.u8(3);
            case Cancel cancel -> out.u8(4);
        }
        return out.toByteArray();
    }

    static SourceQuestion decode(byte[] bytes) {
        ByteReader in = new ByteReader(bytes);
        int kind = in.u8();
        SourceQuestion question = switch (kind) {
            case 1 -> new Open(in.string());
            case 2 -> new ReadFile(in.string(), in.string(), in.string());
            case 3 -> new Progress();
            case 4 -> new Cancel();
            default -> throw new MalformedException("question " + kind + " about sources is unknown");
        };
        in.expectEnd("a question about sources");
        return question;
    }
}
